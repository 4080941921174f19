import { Refusal } from '@sum28/contract/client.ts'
import { CODES } from '@sum28/contract/envelope.ts'

/**
 * Whether a call failed because nobody is signed in: by the code, or by the words of an older
 * server, in Chinese or English.
 */
export function asksToLogIn(error: unknown): boolean {
  if (!(error instanceof Refusal)) return false
  return error.code === CODES.tokenMissing || /请先登录|please log in/i.test(error.message)
}

/** Whether a failed action may have been done all the same: no answer came, or a broken one. */
export function mayHaveHappened(error: unknown): boolean {
  return !(error instanceof Refusal) || (error.code >= 500 && error.code < 600)
}

/** Whether a call was refused because it is for members alone. */
export function isForMembersOnly(error: unknown): boolean {
  return error instanceof Refusal && error.data.reason === 'member_only'
}
