import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { CHROMIUM_ARGS } from '../tools/chromium-args.ts'
import { PATIENCE_MS } from './browser.ts'
import type { StackOptions } from './stack.ts'

// The servers of the stacks find their modules compiled.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '..', '.cache', 'compiled')

export default defineConfig<object, StackOptions>({
  outputDir: '../.cache/e2e',
  globalSetup: './start-stack.ts',
  timeout: 2 * PATIENCE_MS,
  expect: { timeout: PATIENCE_MS },
  workers: 3,
  fullyParallel: true,
  // No retries: a test that passes only then hides a fault or a race.
  retries: 0,
  forbidOnly: process.env.CI !== undefined,
  projects: [
    // One round at its true pace: it waits, and others run meanwhile.
    {
      name: 'pace',
      testDir: 'pace',
      use: { contextOptions: { reducedMotion: 'no-preference' } },
    },
    // Each worker has a stack of its own, whose clock the tests move.
    { name: 'moving', testDir: 'moving', workers: 1, use: { movesClock: true } },
    // All workers share a stack, whose clock stands still.
    { name: 'still', testDir: 'still' },
    // Its pages are heavy: several at once would starve each other.
    { name: 'console', testDir: 'console', workers: 1 },
    // Without a server, on the mock that is made from the contract.
    { name: 'mock', testDir: 'mock' },
  ],
  use: {
    actionTimeout: PATIENCE_MS,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    locale: 'en-GB',
    // Only the spec of the service worker allows it.
    serviceWorkers: 'block',
    // What moves is drawn sixty times a second, and a test waits for its end. A test of the movement allows it.
    contextOptions: { reducedMotion: 'reduce' },
    // Playwright would take one of each page that is closed; `browser.ts` does it when a test has failed.
    screenshot: 'off',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium-headless-shell',
      args: CHROMIUM_ARGS,
    },
  },
})
