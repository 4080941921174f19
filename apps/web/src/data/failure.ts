import { Refusal, Unreachable } from '@sum28/contract/client.ts'
import { CODES } from '@sum28/contract/envelope.ts'
import { text } from '#src/i18n/text.ts'
import { showToast } from '#src/parts/toast-store.ts'

/** The message about a failed call: the server's own, if it answered. */
export function failureText(error: unknown): string {
  if (error instanceof Refusal && error.message) return error.message
  if (error instanceof Unreachable) {
    return error.timedOut ? text('failure.timedOut') : text('failure.unreachable')
  }
  return text('failure.unexpected')
}

/** Says in a toast that an action failed; an action that was cancelled did not. */
export function showFailure(error: unknown): void {
  if (!isCancelled(error)) showToast(failureText(error), { stays: true })
}

/** Where the product asks for one sentence, whatever the server says: a room's entry, and the profile within it. */
export function showGenericFailure(error: unknown): void {
  if (!isCancelled(error)) showToast(text('failure.unexpected'), { stays: true })
}

function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}

/** The server's message for each refused field; empty if the failure is not about fields. */
export function fieldFaults(error: unknown): Record<string, string> {
  return error instanceof Refusal ? (error.data.fields ?? {}) : {}
}

/** Seconds after which the call may be repeated, or null if it failed for another reason. */
export function retryAfterSeconds(error: unknown): number | null {
  const seconds = error instanceof Refusal ? error.data.retry_after : undefined
  return seconds !== undefined && seconds > 0 ? Math.ceil(seconds) : null
}

/**
 * Whether a call failed because the user is not signed in: by its code, or by the message that the
 * product's description names, in Chinese or English.
 */
export function needsLogin(error: unknown): boolean {
  if (!(error instanceof Refusal)) return false
  return error.code === CODES.tokenMissing || /请先登录|please log in/i.test(error.message)
}
