import { Refusal } from '@sum28/contract/client.ts'

/** The refusal's message by the form field that it is about. */
export function resetFaults(error: unknown): {
  email: string | undefined
  code: string | undefined
  password: string | undefined
} {
  const { reason, fields } = error instanceof Refusal ? error.data : {}
  const message = error instanceof Refusal ? error.message : undefined
  const ofCode = reason === 'email_code_wrong' || reason === 'email_code_expired'
  const ofPassword = reason === 'password_common' || reason === 'password_same'
  return {
    email: fields?.email,
    code: ofCode ? message : fields?.captcha,
    password: ofPassword ? message : fields?.newpassword,
  }
}
