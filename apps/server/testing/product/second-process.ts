import type { App } from '#src/app.ts'
import { clientOf, startProcess } from './processes.ts'
import type { TestApp } from './test-app.ts'

/** A second process of the product on the database of a first, at another address. */
export async function startSecondProcess({ config, database }: TestApp) {
  const app: App = await startProcess(config, database.addresses, { clockSyncMs: 100 })
  return {
    app,
    /** Calls it as a player. */
    as: ({ token }: { token: string }) => clientOf(app, token),
  }
}
