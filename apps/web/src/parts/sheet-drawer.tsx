import { Drawer } from '@base-ui/react/drawer'
import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react'
import { useText } from '#src/i18n/text.ts'
import { IconButton } from '#src/parts/icon.tsx'
import styles from '#src/parts/sheet.module.css'
import { whenIdle } from '#src/parts/when-idle.ts'

export type SheetProps = {
  open: boolean
  onClose: () => void
  title: string
  /** Only a button of its content closes it: for what is shown once. */
  stays?: true
  /** Is laid out while it is closed too, so that it opens at once on a slow phone. */
  kept?: true
  note?: ReactNode
  end?: ReactNode
  /** A CSS length, whatever the content; else as high as the content. */
  height?: string
  /** The game whose colour is used inside. */
  game?: string | undefined
  /** Stays at the bottom while the content scrolls. */
  footer?: ReactNode
  children: ReactNode
}

/** The parts of a `Sheet`. */
export function SheetDrawer(props: SheetProps) {
  const { open, onClose, title, stays, kept = false, note, end, height, game, footer } = props
  const t = useText()
  const popup = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const [laidOut, setLaidOut] = useState(false)
  useEffect(() => (kept ? whenIdle(() => setLaidOut(true)) : undefined), [kept])

  function onOpenChange(next: boolean, { cancel }: Drawer.Root.ChangeEventDetails) {
    if (next) return
    if (stays) cancel()
    else onClose()
  }

  /** A kept sheet opens as a new one does: at its top, with nothing unfolded. */
  function reset(isOpen: boolean) {
    if (isOpen || !content.current) return
    content.current.scrollTop = 0
    for (const details of content.current.querySelectorAll('details')) details.open = false
  }

  return (
    <Drawer.Root
      {...{ open, onOpenChange }}
      onOpenChangeComplete={reset}
      // The page around a kept one does not scroll: to lock it would restyle all of it.
      modal={kept ? 'trap-focus' : true}
    >
      <Drawer.Portal keepMounted={kept}>
        <Drawer.Backdrop className={styles.veil} />
        <Drawer.Viewport className={styles.viewport} inert={kept && !open && !laidOut}>
          <Drawer.Popup
            ref={popup}
            className={styles.sheet}
            style={{ '--sheet-height': height } as CSSProperties}
            data-game={game}
            initialFocus={() => (kept ? popup.current : onlyField(popup.current)) ?? true}
          >
            {!stays && <div className={styles.grip} aria-hidden="true" />}
            <div className={styles.head}>
              <div className="grow">
                <Drawer.Title className={styles.title}>{title}</Drawer.Title>
                {note}
              </div>
              {end}
              {!stays && <IconButton icon="close" label={t('action.close')} onPress={onClose} />}
            </div>
            <Drawer.Content ref={content} className={styles.content}>
              {props.children}
            </Drawer.Content>
            {footer && <div className={styles.footer}>{footer}</div>}
          </Drawer.Popup>
        </Drawer.Viewport>
      </Drawer.Portal>
    </Drawer.Root>
  )
}

/** The field in which a person types, if it is the only one; the boxes of one code are one field. */
function onlyField(sheet: HTMLElement | null): HTMLElement | null {
  const typed =
    'input:not([type="radio"], [type="checkbox"], [type="range"], [type="file"]), textarea'
  const fields = [...(sheet?.querySelectorAll<HTMLElement>(typed) ?? [])].filter(
    (field) => !field.hidden && field.getAttribute('aria-hidden') !== 'true',
  )
  const boxes = new Set(fields.map(({ parentElement }) => parentElement))
  return boxes.size === 1 ? (fields[0] ?? null) : null
}
