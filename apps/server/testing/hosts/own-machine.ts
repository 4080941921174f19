/** What a test needs of the machine for as long as it runs. */
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { tryAddress } from '#src/process/listening.ts'

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sum28-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * A port of this machine that nobody listened at a moment ago. It is below those that systems give to connections and to
 * servers that ask for any.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000)
    try {
      await tryAddress({ host: '127.0.0.1', port })
      return port
    } catch {}
  }
}
