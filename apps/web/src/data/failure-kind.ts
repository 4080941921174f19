import { Refusal } from '@sum28/contract/client.ts'
import { CODES } from '@sum28/contract/envelope.ts'

/**
 * Whether a call failed because the user is not signed in: by its code, or by an older server's
 * message in Chinese or English.
 */
export function needsLogin(error: unknown): boolean {
  if (!(error instanceof Refusal)) return false
  return error.code === CODES.tokenMissing || /请先登录|please log in/i.test(error.message)
}

/** Whether a failed action may have had an effect: no answer came, or a broken one. */
export function mayHaveHappened(error: unknown): boolean {
  return !(error instanceof Refusal) || (error.code >= 500 && error.code < 600)
}

/** Whether a bet was refused because the odds differ from those that the player was shown. */
export function haveOddsChanged(error: unknown): boolean {
  return error instanceof Refusal && error.data.reason === 'odds_changed'
}

/** Whether a call was refused because it is for members only. */
export function isForMembersOnly(error: unknown): boolean {
  return error instanceof Refusal && error.data.reason === 'member_only'
}
