/** Takes pictures: `npm run shots`. Those on the contract's mock need no stack. */
import { defineConfig } from '@playwright/test'
import base from './playwright.config.ts'

const { globalSetup, ...common } = base

export default defineConfig({
  ...common,
  ...(process.env.SHOTS_FOLDER === undefined && globalSetup ? { globalSetup } : {}),
  projects: [{ name: 'pictures', testDir: '.', testMatch: '*.pictures.ts' }],
  workers: process.env.SHOTS_FOLDER === undefined ? 1 : 2,
})
