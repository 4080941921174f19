import { Refusal } from '@sum28/contract/client.ts'

/** Which field of the form a refusal is about, with what it says of it. */
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
