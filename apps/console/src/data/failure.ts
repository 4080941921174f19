/** The message for a failed call: the server's own sentence, or that the server cannot be reached. */
import { Refusal, Unreachable } from '#src/data/call.ts'

export type Failure = {
  /** The server's sentence, or a key of the catalog. */
  readonly text: string
  /** Sentences by the name of the invalid field. */
  readonly fields: Readonly<Record<string, string>>
  /** For code that handles it: a reason of the contract, or `unreachable`. */
  readonly reason: string
  /** When another person has decided it before; unix seconds. */
  readonly at?: number
}

/** A notification of a failure stays until a press: four seconds are too short for many people. */
export const FAILURE_NOTICE = { type: 'error', autoHideDuration: null } as const

/** A ceremony of a passkey that came to nothing; the message is a key of the catalog. */
export class CeremonyFailed extends Error {}

export function failureOf(error: unknown): Failure {
  if (error instanceof Refusal) {
    const { reason, fields = {}, at } = error.data
    return { text: error.message, fields, reason, ...(typeof at === 'number' && { at }) }
  }
  if (error instanceof Unreachable) {
    return { text: 'console.failure.unreachable', fields: {}, reason: 'unreachable' }
  }
  if (error instanceof CeremonyFailed) {
    return { text: error.message, fields: {}, reason: 'ceremony' }
  }
  return { text: 'console.failure.unknown', fields: {}, reason: 'fault' }
}
