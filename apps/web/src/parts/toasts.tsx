import { useStore } from '@sum28/ui/store.ts'
import { createPortal } from 'react-dom'
import { toastStore } from '#src/parts/toast-store.ts'
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
      {toast && (
        <div key={toast.id} className={styles.toast} ref={atTop ? toTop : undefined}>
          {toast.busy && <span className={styles.spinner} aria-hidden="true" />}
          {toast.text}
        </div>
      )}
    </div>,
    document.body,
  )
}

/** Moves a toast to the top, where it stays until it goes, and the field in focus out from under it. */
function toTop(box: HTMLElement | null): void {
  if (!box) return
  box.dataset.top = ''
  document.querySelector('input:focus, textarea:focus')?.scrollIntoView({ block: 'nearest' })
}
