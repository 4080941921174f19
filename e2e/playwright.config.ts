import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { CHROMIUM_ARGS } from '../tools/chromium-args.ts'

// The servers of the stacks find their modules compiled.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '..', '.cache', 'compiled')

/** How long a test waits for anything. No test uses its time-out to check speed. */
const PATIENCE_MS = 30_000

export default defineConfig({
  testDir: '.',
  outputDir: '../.cache/e2e',
  globalSetup: './database-server.ts',
  timeout: 2 * PATIENCE_MS,
  expect: { timeout: PATIENCE_MS },
  // Each worker has its own stack.
  workers: 3,
  fullyParallel: true,
  // No retries: a test that passes only then hides a fault or a race.
  retries: 0,
  forbidOnly: process.env.CI !== undefined,
  use: {
    actionTimeout: PATIENCE_MS,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    locale: 'en-GB',
    // Only the spec of the service worker allows it.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium-headless-shell',
      args: CHROMIUM_ARGS,
    },
  },
})
