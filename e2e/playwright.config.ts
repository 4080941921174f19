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
  timeout: 120_000,
  expect: { timeout: 15_000 },
  // Each has a stack of its own.
  workers: 3,
  // What passes only at the second time is told of as such.
  retries: 1,
  forbidOnly: process.env.CI !== undefined,
  use: {
    actionTimeout: 10_000,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    locale: 'en-GB',
    // Their own spec lets them in.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    // Recording costs time: only what is tried again is recorded.
    trace: 'on-first-retry',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: CHROMIUM_ARGS,
    },
  },
})
