/** What a test needs of the machine for as long as it runs. */
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { MAIN } from '#src/engine/supervise-engine.ts'
import { tryAddress } from '#src/process/listening.ts'

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sum28-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Starts the product in a folder, to be migrated or to fail; returns what it says. */
export function runProduct(folder: string, environment: Record<string, string>) {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, DATA_DIR: folder, ...environment }
  const { status, stderr } = spawnSync(process.execPath, [MAIN], { env, cwd: folder })
  return { status, told: `${stderr}`.trim() }
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
