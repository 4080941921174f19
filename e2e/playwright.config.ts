import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { CHROMIUM_ARGS } from '../tools/chromium-args.ts'

// The servers of the stacks find their modules compiled.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '..', '.cache', 'compiled')

/** How long a test waits for anything: on a machine that is slow and busy, a screen may take a minute. */
const PATIENCE_MS = 120_000

export default defineConfig({
  testDir: '.',
  outputDir: '../.cache/e2e',
  // Long enough for a slow and busy machine: no test uses its time-out to check speed.
  timeout: 5 * PATIENCE_MS,
  expect: { timeout: PATIENCE_MS },
  // Each worker has its own stack. Many tests wait for a round, so there are more of them than processors.
  workers: 4,
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
