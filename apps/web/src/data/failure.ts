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
  if (!isCancelled(error)) showToast(failureText(error))
}

/** Where the product asks for one sentence, whatever the server says: a room's entry, and the profile within it. */
export function showGenericFailure(error: unknown): void {
  if (!isCancelled(error)) showToast(text('failure.unexpected'))
}

function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}

/** The server's message for each refused field; empty if the failure is not about fields. */
export function fieldFaults(error: unknown): Record<string, string> {
  return error instanceof Refusal ? (error.data.fields ?? {}) : {}
}

/**
 * The message for each field of a form: what a refusal says of a field on the wire, or its own one if its reason is about
 * a field.
 *
 * @param fieldOf the form's field for each reason and each name on the wire; the first that there is counts
 */
export function faultsBy<Field extends string>(
  error: unknown,
  fieldOf: Readonly<Record<string, Field>>,
): { [Name in Field]?: string } {
  if (!(error instanceof Refusal)) return {}
  const said: Record<string, string> = { ...error.data.fields, [error.data.reason]: error.message }
  const faults: { [Name in Field]?: string } = {}
  for (const [name, field] of Object.entries(fieldOf)) if (said[name]) faults[field] ??= said[name]
  return faults
}

/** Seconds after which the call may be repeated, or null if it failed for another reason. */
export function retryAfterSeconds(error: unknown): number | null {
  const seconds = error instanceof Refusal ? error.data.retry_after : undefined
  return seconds !== undefined && seconds > 0 ? Math.ceil(seconds) : null
}

/**
 * Whether a call failed because the user is not signed in: by its code, or by an older server's
 * message in Chinese or English.
 */
export function needsLogin(error: unknown): boolean {
  if (!(error instanceof Refusal)) return false
  return error.code === CODES.tokenMissing || /请先登录|please log in/i.test(error.message)
}
