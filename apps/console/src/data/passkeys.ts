/** The user's passkeys. The code of their ceremonies is loaded when one begins. */
import type { ReplyOf } from '@sum28/contract/route.ts'
import * as routes from '@sum28/contract/staff-own-routes.ts'
import type * as Ceremonies from '@sum28/ui/passkey-ceremony.ts'
import { call } from '#src/data/call.ts'
import { CeremonyFailed } from '#src/data/failure.ts'

/** Runs a ceremony; fails with `CeremonyFailed` if the browser or its user ended it. */
async function inCeremony<Result>(
  ceremony: (ceremonies: typeof Ceremonies) => Promise<Result>,
): Promise<Result> {
  const ceremonies = await import('@sum28/ui/passkey-ceremony.ts')
  try {
    return await ceremony(ceremonies)
  } catch (error) {
    const fault = ceremonies.ceremonyFault(error)
    throw fault ? new CeremonyFailed(`console.passkey.${fault}`) : error
  }
}

/** Signs in with a passkey that the user chooses. */
export async function signInWithPasskey(): Promise<void> {
  const options = await call(routes.staffPasskeyChallenge, {})
  const answer = await inCeremony(({ answerOf }) => answerOf(options))
  await call(routes.staffPasskeyLogin, { ...answer, in_cookie: true })
}

/** Enrols with a new passkey in place of password and code. */
export async function enrolWithPasskey(
  who: { account: string; password: string },
  { options, name }: { options: ReplyOf<typeof routes.beginEnrolment>['passkey']; name: string },
): Promise<void> {
  const made = await inCeremony(({ makePasskey }) => makePasskey(options))
  await call(routes.confirmPasskeyEnrolment, { ...who, ...made, name, in_cookie: true })
}

/** Makes another passkey of the user; after a proof. */
export async function addPasskey(name: string): Promise<void> {
  const options = await call(routes.staffPasskeyOptions, {})
  const made = await inCeremony(({ makePasskey }) => makePasskey(options))
  await call(routes.addStaffPasskey, { ...made, name })
}

/** Proves by one of his passkeys that it is the user; for five minutes. */
export async function proveByPasskey(): Promise<void> {
  const options = await call(routes.staffProofOptions, {})
  await call(routes.staffProve, await inCeremony(({ answerOf }) => answerOf(options)))
}
