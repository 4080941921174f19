import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import { classNames } from '#src/class-names.ts'
import styles from '#src/tabs.module.css'

type TabsProps<Value extends string> = {
  label: string
  tabs: readonly { value: Value; label: ReactNode; content: ReactNode; game?: string }[]
  value: Value
  onChange: (value: Value) => void
  /** `segments`: a few, all visible; `strip`: many, scrolled sideways. */
  kind?: 'segments' | 'strip'
  /** Beside the tabs. */
  end?: ReactNode
}

/** Tabs with their panels; only the open one's content is mounted. */
export function Tabs<Value extends string>({
  label,
  tabs,
  value,
  onChange,
  kind = 'segments',
  end,
}: TabsProps<Value>) {
  const strip = kind === 'strip'
  return (
    <Base.Root
      className="stack-3 shrink"
      value={value}
      onValueChange={(next) => onChange(next as Value)}
    >
      <div className={styles.head}>
        <Base.List aria-label={label} className={strip ? styles.strip : styles.track}>
          {tabs.map((tab) => (
            <Base.Tab
              key={tab.value}
              value={tab.value}
              data-game={tab.game}
              className={strip ? styles.pill : classNames(styles.face, styles.segment)}
            >
              {tab.label}
            </Base.Tab>
          ))}
        </Base.List>
        {end}
      </div>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} className={styles.panel} data-game={tab.game}>
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
