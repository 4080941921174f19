import { useStore } from '@sum28/ui/store.ts'
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { type Toast, toastStore } from '#src/parts/toast-store.ts'
import styles from '#src/parts/toasts.module.css'

/**
 * The place of toasts: above everything, without blocking taps. Mounted once, by the shell.
 *
 * @param atTop on screens whose main button is at the bottom, which a toast must not cover
 */
export function Toasts({ atTop }: { atTop: boolean }) {
  const toast = useStore(toastStore)
  // The region must exist before its text, or screen readers do not announce it.
  return createPortal(
    <div className={styles.region} role="status" aria-live="polite">
      {toast && <Shown key={toast.id} toast={toast} atTop={atTop} />}
    </div>,
    document.body,
  )
}

/** It stays where it came, also if another screen follows. */
function Shown({ toast, atTop }: { toast: Toast; atTop: boolean }) {
  const [isAtTop] = useState(atTop)
  return (
    <div className={styles.toast} data-top={isAtTop}>
      {toast.busy && <span className={styles.spinner} aria-hidden="true" />}
      {toast.text}
    </div>
  )
}
