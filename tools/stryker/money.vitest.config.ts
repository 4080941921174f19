import { defineConfig } from 'vitest/config'

// What npm run mutants:money runs.
export default defineConfig({
  test: {
    include: ['apps/server/src/modules/{bets,deposits,wallet,withdrawals}/*.test.ts'],
    exclude: ['**/node_modules/**', '**/approvals.test.ts', '**/independent-check.test.ts'],
    globalSetup: ['apps/server/testing/database-server.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    maxWorkers: 1,
  },
})
