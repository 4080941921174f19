import { defineConfig } from 'vitest/config'

// What npm run mutants:ts runs: tests without a database.
export default defineConfig({
  test: {
    setupFiles: ['tools/property-seed.ts'],
    include: ['packages/{domain,fairness}/src/**/*.test.ts'],
    testTimeout: 120_000,
    maxWorkers: 1,
  },
})
