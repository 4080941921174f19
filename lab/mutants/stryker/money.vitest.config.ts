import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const ROOT = join(import.meta.dirname, '..', '..', '..')

/** Those that start the product take half a minute for each fault. */
const STARTS_THE_PRODUCT = /\b(share|create)TestApp\b/

// What npm run mutants:money runs.
export default defineConfig({
  test: {
    include: globSync('apps/server/src/modules/{bets,deposits,wallet,withdrawals}/*.test.ts', {
      cwd: ROOT,
    }).filter((file) => !STARTS_THE_PRODUCT.test(readFileSync(join(ROOT, file), 'utf8'))),
    setupFiles: ['tools/property-seed.ts'],
    globalSetup: ['apps/server/testing/database/database-server.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    maxWorkers: 1,
  },
})
