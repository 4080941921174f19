/** Accounts: registering, signing in, security code, profile and pictures. */
import type { FileStore } from '#src/adapters/files/file-store.ts'
import { queueOutbox } from '#src/adapters/mail/outbox.ts'
import type { Resources } from '#src/resources.ts'
import { deriveKey } from '#src/secrets/sealer.ts'
import { type PasswordProof, provePassword } from './prove-password.ts'
import { type AccountDeps, accountRoutes } from './routes.ts'
import { sessionFinder, sessionsInDoubt } from './session.ts'
import { signInGuard } from './sign-in-guard.ts'

export function accountsModule(
  deps: Pick<Resources, 'db' | 'config' | 'secretKey' | 'sealer' | 'log'> &
    Pick<AccountDeps, 'money' | 'notifyOfChange' | 'noteMark'> & { pictures: FileStore },
) {
  const { db, config, secretKey, sealer, log, money, notifyOfChange, noteMark, pictures } = deps
  const codeKey = deriveKey(secretKey, 'mailed codes')
  const guard = signInGuard({ db, key: codeKey, on: config.rateLimits })
  return {
    /** Checks the password of a player who is signed in. */
    provePassword: (proof: PasswordProof) => provePassword({ db, guard }, proof),
    findCaller: sessionFinder(db),
    doubtfulSessions: (tokenHashes: readonly Buffer[]) => sessionsInDoubt(db, tokenHashes),
    routes: accountRoutes({
      db,
      outbox: queueOutbox,
      codeKey,
      guard,
      files: pictures,
      log,
      publicUrl: config.publicUrl,
      limits: config.rateLimits,
      sealer,
      notifyOfChange,
      noteMark,
      money,
    }),
  }
}
