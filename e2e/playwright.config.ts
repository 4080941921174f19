import { defineConfig } from '@playwright/test'

const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export default defineConfig({
  testDir: '.',
  outputDir: '../.cache/e2e',
  // For a slow and busy machine: no test asserts by its patience how quick something is.
  timeout: 300_000,
  expect: { timeout: 45_000 },
  // Each has a stack of its own.
  workers: 3,
  // A second try is a failure: what passes only then hides a fault or a race.
  retries: 0,
  forbidOnly: process.env.CI !== undefined,
  use: {
    actionTimeout: 45_000,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    locale: 'en-GB',
    // Their own spec lets them in.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: CHROMIUM_ARGS,
    },
  },
})
