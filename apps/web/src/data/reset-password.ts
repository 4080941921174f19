import { resetPassword as resetRoute } from '@sum28/contract/user-routes.ts'
import { call } from '#src/data/client.ts'

/** Sets a new password by a mailed code. All devices are signed out by it. */
export async function resetPassword(form: {
  email: string
  code: string
  password: string
}): Promise<void> {
  await call(resetRoute, { email: form.email, captcha: form.code, newpassword: form.password })
}
