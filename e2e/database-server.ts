/** The one PostgreSQL of a run of the browser tests: each stack clones a database of it. */
import { serverOfRun } from '../apps/server/testing/database-server.ts'

/** The workers inherit it from the process that starts the server. */
const ADDRESS = 'E2E_DATABASE_SERVER'

/** Starts it, for Playwright's configuration; what it returns stops it. */
export default async function startForRun(): Promise<() => Promise<void>> {
  const { address, stop } = await serverOfRun()
  process.env[ADDRESS] = address
  return stop
}

/** The owner's address, without a database name. */
export function databaseServer(): string {
  return process.env[ADDRESS] ?? ''
}
