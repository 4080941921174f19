import { isRefusal, type Refusal, refuse } from '#src/refusal/refusal.ts'
import { asStaff } from './as-staff.ts'
import { replaceRecoveryCodes } from './enrolment-store.ts'
import { type SignInDeps, tryAsMember } from './log-in-staff.ts'
import { newRecoveryCodes } from './recovery-codes.ts'
import { useTotpStep } from './staff-store.ts'
import { totpStepOf } from './totp.ts'
import { openTotpSecret } from './totp-secret.ts'

/**
 * Makes new recovery codes for a member who proves password and code again; the earlier ones become void. The thief
 * of a session alone cannot get a permanent way in.
 *
 * @returns the codes, which are stored nowhere; or account_or_password_wrong, too_many_requests, or the
 * refusals of a session that has ended
 */
export async function renewRecoveryCodes(
  deps: SignInDeps,
  {
    totp,
    session,
    ...who
  }: {
    account: string
    password: string
    totp: string
    session: string
    address: string
  },
): Promise<string[] | Refusal> {
  const proved = await tryAsMember(deps, who, async (tx, { member, right, now }) => {
    if (!member || !right || !member.enrolled) return refuse('account_or_password_wrong')
    const step = totpStepOf(totp, { secret: openTotpSecret(deps.sealer, member), at: now })
    if (step === null) return refuse('account_or_password_wrong')
    const { id, passwordHash } = member
    const used = await useTotpStep(tx, { id, step, passwordHash })
    return used ? null : refuse('account_or_password_wrong')
  })
  if (isRefusal(proved)) return proved
  const { shown, hashes } = newRecoveryCodes()
  const replaced = await asStaff(deps.db, (tx) =>
    replaceRecoveryCodes(tx, { codeHashes: hashes, session }),
  )
  return isRefusal(replaced) ? replaced : shown
}
