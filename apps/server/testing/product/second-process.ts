/** A second process of the product on the database of a first, at another address. */
import { type Client, createClient } from '@sum28/contract/client.ts'
import { onTestFinished } from 'vitest'
import { type App, startApp } from '#src/app.ts'
import { makeLog } from '#src/process/log.ts'
import { ANSWER_WITHIN_MS, PATIENT_LIMITS } from '../requests/patience.ts'
import type { TestApp } from './test-app.ts'

export type SecondProcess = {
  app: App
  /** Calls it as a player. */
  as(player: { token: string }): Client
}

export async function startSecondProcess({ config, database }: TestApp): Promise<SecondProcess> {
  const app = await startApp({
    config,
    addresses: database.addresses,
    log: makeLog({ level: 'silent', pretty: false }),
    build: 'test',
    tuning: {
      answerWithinMs: ANSWER_WITHIN_MS,
      limits: PATIENT_LIMITS,
      seedChainLength: 5_000,
      clockSyncMs: 100,
    },
  })
  onTestFinished(() => app.stop())
  return {
    app,
    as: ({ token }) =>
      createClient({
        base: () => app.url,
        token: () => token,
        lang: () => 'en',
        host: 'localhost',
      }),
  }
}
