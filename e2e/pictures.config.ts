/** Makes the handbook's pictures again: `npx playwright test --config e2e/pictures.config.ts`. */
import { defineConfig } from '@playwright/test'
import base from './playwright.config.ts'

export default defineConfig({ ...base, testMatch: 'handbook.pictures.ts', workers: 1 })
