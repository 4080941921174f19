import { Refusal, Unreachable } from '@sum28/contract/client.ts'
import { text } from '#src/i18n/text.ts'

/** The message about a failed call: the server's own, if it answered. */
export function failureText(error: unknown): string {
  if (error instanceof Refusal && error.message) return error.message
  if (error instanceof Unreachable) {
    return error.timedOut ? text('failure.timedOut') : text('failure.unreachable')
  }
  return text('failure.unexpected')
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
