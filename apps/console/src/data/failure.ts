/** What a failed call is shown as: the server's own sentence, or that it cannot be reached. */
import { Refusal, Unreachable } from '#src/data/call.ts'

export type Failure = {
  /** The server's sentence, or a key of the catalog. */
  readonly text: string
  /** Sentences by the name of the field that is wrong. */
  readonly fields: Readonly<Record<string, string>>
  /** Why, for those who act on it: a reason of the contract, or that no answer came. */
  readonly reason: string
}

export function failureOf(error: unknown): Failure {
  if (error instanceof Refusal) {
    const { reason, fields = {} } = error.data
    return { text: error.message, fields, reason }
  }
  if (error instanceof Unreachable) {
    return { text: 'console.failure.unreachable', fields: {}, reason: 'unreachable' }
  }
  return { text: 'console.failure.unknown', fields: {}, reason: 'fault' }
}
