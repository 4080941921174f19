import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{packages,apps,tools}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    // A database server for the whole run; each test file gets databases of its own from it.
    globalSetup: ['apps/server/testing/database-server.ts'],
    // No measure of speed, only an end for what hangs: a machine may be slow and busy with other work.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 60_000,
    maxWorkers: 3,
  },
})
