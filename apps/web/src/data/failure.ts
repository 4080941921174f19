import { Refusal, Unreachable } from '@sum28/contract/client.ts'
import { text } from '#src/i18n/text.ts'

/** What to tell a person about a failed call: the server's own words where it answered. */
export function failureText(error: unknown): string {
  if (error instanceof Refusal && error.message) return error.message
  if (error instanceof Unreachable) {
    return error.timedOut ? text('failure.timedOut') : text('failure.unreachable')
  }
  return text('failure.unexpected')
}

/** What the server said is wrong with each field of a request; empty where it was something else. */
export function fieldFaults(error: unknown): Record<string, string> {
  return error instanceof Refusal ? (error.data.fields ?? {}) : {}
}

/** Seconds after which the same may be asked again, or null where that is not why it failed. */
export function retryAfterSeconds(error: unknown): number | null {
  const seconds = error instanceof Refusal ? error.data.retry_after : undefined
  return seconds !== undefined && seconds > 0 ? Math.ceil(seconds) : null
}
