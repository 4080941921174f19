import { Refusal } from '@sum28/contract/client.ts'
import { newPass } from '@sum28/contract/money-routes.ts'
import { call } from '#src/data/client.ts'

/** The fewest characters of a password. */
export const PASSWORD_MIN = 8

/** Changes the password and signs out all other devices. */
export async function changePassword(passwords: { old: string; password: string }): Promise<void> {
  await call(newPass, { new_pass: passwords.password, old_pass: passwords.old })
}

/** The refusal's message by the form field that it is about. */
export function passwordFaults(error: unknown): {
  old: string | undefined
  password: string | undefined
} {
  if (!(error instanceof Refusal)) return { old: undefined, password: undefined }
  const { reason, fields } = error.data
  const ofPassword = reason === 'password_common' || reason === 'password_same'
  return {
    old:
      reason === 'old_password_wrong'
        ? error.message
        : (fields?.old_pass ?? fields?.old ?? fields?.after_pass),
    password: ofPassword ? error.message : (fields?.new_pass ?? fields?.new),
  }
}
