import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{packages,apps,tools}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    // A database server for the whole run; each test file gets databases of its own from it.
    globalSetup: ['apps/server/testing/database-server.ts'],
    // Some wait for a round that has time left, which near its end is the next one.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 3,
  },
})
