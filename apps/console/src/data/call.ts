/** The only way to the API: the contract's client, with the session in a cookie that no script reads. */
import {
  type CallOptions,
  createClient,
  newIdempotencyKey,
  Refusal,
  Unreachable,
} from '@sum28/contract/client.ts'
import { CODES, SESSION_ENDED_CODES } from '@sum28/contract/envelope.ts'
import { isAttended } from '#src/data/attendance.ts'

/** The header that the server knows; see its `serve-routes.ts`. */
const UNATTENDED = 'X-Unattended'

/**
 * Sends one request of the contract and gives the reply's data.
 *
 * @throws Refusal when the server refused, Unreachable when no answer came
 */
export const call = createClient({
  base: () => '',
  token: () => null,
  lang: () => 'en',
  host: window.location.host,
  fetch: (input, init) => {
    const headers = new Headers(init?.headers)
    if (!isAttended()) headers.set(UNATTENDED, '1')
    return fetch(input, { ...init, headers })
  },
})

export type Call = typeof call
export type { CallOptions }
export { newIdempotencyKey, Refusal, Unreachable }

/** Whether the server said that there is no session any more. */
export function isSessionEnd(error: unknown): boolean {
  return (
    error instanceof Refusal &&
    (error.code === CODES.tokenMissing || SESSION_ENDED_CODES.includes(error.code))
  )
}
