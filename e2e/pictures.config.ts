/** Takes the pictures of README.md and of the handbook: `npm run shots`. */
import { defineConfig } from '@playwright/test'
import base from './playwright.config.ts'

export default defineConfig({
  ...base,
  projects: [{ name: 'pictures', testDir: '.', testMatch: '*.pictures.ts' }],
  workers: 1,
})
