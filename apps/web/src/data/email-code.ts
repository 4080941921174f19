import { SECONDS_BETWEEN_CODES } from '@sum28/contract/shared-times.ts'
import * as routes from '@sum28/contract/user-routes.ts'
import { call } from '#src/data/client.ts'

/**
 * Requests a six-digit code by mail. Rejects with too_many_requests if repeated too soon.
 *
 * @returns the seconds until another may be requested
 */
export async function sendEmailCode(request: {
  email: string
  event: 'register' | 'resetpwd'
}): Promise<number> {
  await call(routes.sendCode, request)
  return SECONDS_BETWEEN_CODES
}
