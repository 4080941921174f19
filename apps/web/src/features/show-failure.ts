import { showToast } from '@sum28/ui/toast-store.ts'
import { failureText } from '#src/data/failure.ts'
import { text } from '#src/i18n/text.ts'

export function showFailure(error: unknown): void {
  if (!isCancelled(error)) showToast(failureText(error))
}

/** Where the product asks for one sentence, whatever the server says: a room's entry, and the profile within it. */
export function showGenericFailure(error: unknown): void {
  if (!isCancelled(error)) showToast(text('failure.unexpected'))
}

function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}
