import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { classNames } from '#src/parts/class-names.ts'
import styles from '#src/parts/tabs.module.css'

type TabsProps<Value extends string> = {
  label: string
  tabs: readonly { value: Value; label: ReactNode; content: ReactNode; game?: string }[]
  value: Value
  onChange: (value: Value) => void
  /** `segments`: a few, all visible; `strip`: many, scrolled sideways. */
  kind?: 'segments' | 'strip'
  end?: ReactNode
}

/** Tabs with their panels; only the open one's content is mounted. Arrow keys, Home and End move between the tabs. */
export function Tabs<Value extends string>({
  label,
  tabs,
  value,
  onChange,
  kind = 'segments',
  end,
}: TabsProps<Value>) {
  const id = useId()
  const strip = kind === 'strip'
  const open = tabs.find((tab) => tab.value === value)
  return (
    <div className="stack-3 shrink">
      <div className="row-2">
        <div
          role="tablist"
          aria-label={label}
          className={strip ? styles.strip : styles.track}
          onKeyDown={moveFocus}
        >
          {tabs.map((tab) => (
            <button
              key={tab.value}
              type="button"
              role="tab"
              id={`${id}${tab.value}`}
              aria-selected={tab === open}
              aria-controls={tab === open ? `${id}panel` : undefined}
              tabIndex={tab === open ? 0 : -1}
              data-active={tab === open || undefined}
              data-game={tab.game}
              className={strip ? styles.pill : classNames(styles.face, styles.segment)}
              onClick={() => tab !== open && onChange(tab.value)}
            >
              {tab.label}
            </button>
          ))}
        </div>
        {end}
      </div>
      {open && (
        <div
          key={open.value}
          role="tabpanel"
          id={`${id}panel`}
          aria-labelledby={`${id}${open.value}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel may have nothing else that takes the focus.
          tabIndex={0}
          className={styles.panel}
          data-game={open.game}
        >
          {open.content}
        </div>
      )}
    </div>
  )
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')]
  const from = tabs.indexOf(document.activeElement as HTMLElement)
  const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: -1 }[event.key]
  if (to === undefined) return
  event.preventDefault()
  tabs.at(to % tabs.length)?.focus()
}
