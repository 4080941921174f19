import { useStore } from '@sum28/ui/store.ts'
import { createPortal } from 'react-dom'
import { toastStore } from '#src/parts/toast-store.ts'
import styles from '#src/parts/toasts.module.css'

/** The place of toasts: above everything, without blocking taps. Mounted once, by the shell. */
export function Toasts() {
  const toast = useStore(toastStore)
  // The region must exist before its text, or screen readers do not announce it.
  return createPortal(
    <div className={styles.region} role="status" aria-live="polite">
      {toast && (
        <div key={toast.id} className={styles.toast}>
          {toast.busy && <span className={styles.spinner} aria-hidden="true" />}
          {toast.text}
        </div>
      )}
    </div>,
    document.body,
  )
}
