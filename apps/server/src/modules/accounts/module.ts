/** Accounts: registering, signing in, security code, profile and pictures. */
import { queueOutbox } from '#src/adapters/mail/outbox.ts'
import type { Resources } from '#src/resources.ts'
import { deriveKey } from '#src/secrets/secret-cipher.ts'
import { readPicture } from './pictures.ts'
import { type PasswordProof, provePassword } from './prove-password.ts'
import { type AccountDeps, accountRoutes } from './routes.ts'
import { doubtfulSessions, sessionFinder } from './session.ts'
import { signInGuard } from './sign-in-guard.ts'

export function accountsModule(
  deps: Pick<Resources, 'db' | 'config' | 'secretKeys' | 'cipher'> &
    Pick<AccountDeps, 'money' | 'noteMark' | 'isPasskeyOfStaff'>,
) {
  const { db, config, secretKeys, ...given } = deps
  const codeKey = deriveKey(secretKeys[0], 'mailed codes')
  const guard = signInGuard({ db, key: codeKey, on: config.rateLimits })
  return {
    provePassword: (proof: PasswordProof) => provePassword({ db, guard }, proof),
    findCaller: sessionFinder(db),
    doubtfulSessions: (tokenHashes: readonly Buffer[]) => doubtfulSessions(db, tokenHashes),
    /** The content of a picture that a player or an editor uploaded; null if there is none of that name. */
    readPicture: (name: string) => readPicture(db, name),
    routes: accountRoutes({
      db,
      outbox: queueOutbox,
      codeKey,
      guard,
      publicUrl: config.publicUrl,
      limits: config.rateLimits,
      ...given,
    }),
  }
}
