import { Drawer } from '@base-ui/react/drawer'
import type { ReactNode } from 'react'
import { Icon } from '#src/icon.tsx'
import styles from '#src/sheet.module.css'
import { useText } from '#src/text.ts'

export type SheetProps = {
  open: boolean
  onClose: () => void
  title: string
  /** Stays at the bottom while the content scrolls. */
  footer?: ReactNode
  children: ReactNode
}

/** The parts of a `Sheet`. */
export function SheetDrawer({ open, onClose, title, footer, children }: SheetProps) {
  const t = useText()
  return (
    <Drawer.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Drawer.Portal>
        <Drawer.Backdrop className={styles.veil} />
        <Drawer.Viewport className={styles.viewport}>
          <Drawer.Popup className={styles.sheet}>
            <div className={styles.grip} aria-hidden="true" />
            <div className={styles.head}>
              <Drawer.Title className={styles.title}>{title}</Drawer.Title>
              <Drawer.Close className={styles.close} aria-label={t('action.close')}>
                <Icon name="close" size={20} />
              </Drawer.Close>
            </div>
            <Drawer.Content className={styles.content}>{children}</Drawer.Content>
            {footer && <div className={styles.footer}>{footer}</div>}
          </Drawer.Popup>
        </Drawer.Viewport>
      </Drawer.Portal>
    </Drawer.Root>
  )
}
