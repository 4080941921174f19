import { Drawer } from '@base-ui/react/drawer'
import { type ReactNode, useRef } from 'react'
import { useText } from '#src/i18n/text.ts'
import { IconButton } from '#src/parts/icon.tsx'
import styles from '#src/parts/sheet.module.css'

export type SheetProps = {
  open: boolean
  onClose: () => void
  title: string
  /** Only a button of its content closes it: for what is shown once. */
  stays?: true
  /** The id of what is read when it opens, since the focus begins past it. */
  describedBy?: string
  /** Stays at the bottom while the content scrolls. */
  footer?: ReactNode
  children: ReactNode
}

export function SheetDrawer({
  open,
  onClose,
  title,
  stays,
  describedBy,
  footer,
  children,
}: SheetProps) {
  const t = useText()
  const popup = useRef<HTMLDivElement>(null)

  function onOpenChange(next: boolean, { cancel }: Drawer.Root.ChangeEventDetails) {
    if (next) return
    if (stays) cancel()
    else onClose()
  }

  return (
    <Drawer.Root {...{ open, onOpenChange }}>
      <Drawer.Portal>
        <Drawer.Backdrop className={styles.veil} />
        <Drawer.Viewport className={styles.viewport}>
          <Drawer.Popup
            ref={popup}
            className={styles.sheet}
            aria-describedby={describedBy}
            initialFocus={() => onlyField(popup.current) ?? true}
          >
            {!stays && <div className={styles.grip} aria-hidden="true" />}
            <div className={styles.head}>
              <Drawer.Title className={styles.title}>{title}</Drawer.Title>
              {!stays && <IconButton icon="close" label={t('action.close')} onPress={onClose} />}
            </div>
            <Drawer.Content className={styles.content}>{children}</Drawer.Content>
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
