import { failureText } from '#src/data/failure.ts'
import { showToast } from '#src/ui/toast-store.ts'

/** Tells of a failed action in a toast. */
export function showFailure(error: unknown): void {
  if (error instanceof DOMException && error.name === 'AbortError') return
  showToast(failureText(error))
}
