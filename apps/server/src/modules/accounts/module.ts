/** Accounts: registering, signing in, security code, profile and pictures. */
import { resolve } from 'node:path'
import { fileStore } from '#src/adapters/files/file-store.ts'
import { queueOutbox } from '#src/adapters/mail/outbox.ts'
import type { Resources } from '#src/resources.ts'
import { deriveKey } from '#src/sealer.ts'
import { type AccountDeps, accountRoutes } from './routes.ts'
import { sessionFinder } from './session.ts'

export function accountsModule(
  deps: Pick<Resources, 'db' | 'config' | 'secretKey' | 'sealer' | 'log'> &
    Pick<AccountDeps, 'money' | 'notifyOfChange' | 'noteMark'>,
) {
  const { db, config, secretKey, sealer, log, money, notifyOfChange, noteMark } = deps
  const pictures = fileStore(resolve(config.dataDir, 'uploads'))
  return {
    findCaller: sessionFinder(db),
    /** Where players' pictures are. */
    pictures,
    routes: accountRoutes({
      db,
      outbox: queueOutbox,
      codeKey: deriveKey(secretKey, 'mailed codes'),
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
