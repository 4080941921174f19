import { defineConfig } from 'vitest/config'

// What npm run mutants:money runs.
export default defineConfig({
  test: {
    include: ['apps/server/src/modules/{bets,deposits,wallet,withdrawals}/*.test.ts'],
    // In Stryker's copy of the sources its pictures are not decoded.
    exclude: ['**/identity.test.ts'],
    setupFiles: ['tools/property-seed.ts'],
    globalSetup: ['apps/server/testing/database/database-server.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    maxWorkers: 1,
  },
})
