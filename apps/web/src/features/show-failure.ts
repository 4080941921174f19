import { showToast } from '@sum28/ui/toast-store.ts'
import { failureText } from '#src/data/failure.ts'

export function showFailure(error: unknown): void {
  if (error instanceof DOMException && error.name === 'AbortError') return
  showToast(failureText(error))
}
