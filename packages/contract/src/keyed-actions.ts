import { newIdempotencyKey, Refusal } from './client.ts'
import { CODES } from './envelope.ts'

export type KeyedActions = {
  /**
   * Sends an action with its key: that of an earlier try with the same input, if it is not known what became of that
   * one, else a new one.
   *
   * @param input what the action does, as JSON has it; two actions with the same input are one
   */
  readonly send: <Reply>(input: unknown, send: (key: string) => Promise<Reply>) => Promise<Reply>
  /** Whether an action was sent, and may have been done. */
  readonly isUnanswered: (input: unknown) => boolean
  /** After it has turned out in another way that an action was done. */
  readonly forget: (input: unknown) => void
}

/** The actions of one form or button: a lost reply and a second press have one effect. */
export function keyedActions(newKey = newIdempotencyKey): KeyedActions {
  const unanswered = new Map<string, string>()
  const forget = (input: unknown) => void unanswered.delete(JSON.stringify(input))
  const keyOf = (input: unknown) => unanswered.get(JSON.stringify(input))
  return {
    async send(input, send) {
      const earlier = keyOf(input)
      const key = earlier ?? newKey()
      unanswered.set(JSON.stringify(input), key)
      try {
        const reply = await send(key)
        forget(input)
        return reply
      } catch (error) {
        if (!mayHaveHappened(error, earlier !== undefined)) forget(input)
        throw error
      }
    },
    isUnanswered: (input) => keyOf(input) !== undefined,
    forget,
  }
}

/**
 * Whether a failed action may have had an effect: no answer came, or a broken one.
 *
 * @param before whether an earlier try may have had one: then only a judgement of the action itself says that it had none
 */
export function mayHaveHappened(error: unknown, before = false): boolean {
  if (!(error instanceof Refusal)) return true
  return before ? error.code !== CODES.refused : error.code >= 500 && error.code < 600
}
