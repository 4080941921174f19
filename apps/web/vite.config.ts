import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import { BUILD_TARGET } from '@sum28/ui/build/oldest-browsers.ts'
import { startCheckFile } from '@sum28/ui/build/start-check-file.ts'
import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv, type Plugin } from 'vite'
import { compression } from 'vite-plugin-compression2'
import { VitePWA } from 'vite-plugin-pwa'
import { contractRoutes, linguiCatalogs, screenPreloads } from './build/plugins.ts'

/** Where the development server sends what is the API's; `API_ORIGIN` names another one. */
const API = loadEnv('', '.', 'API_').API_ORIGIN ?? 'http://127.0.0.1:3000'

/** What only few screens need: forms, passkeys, codes and the operator's texts, with their large libraries; checks of draws. */
const OF_FEW_SCREENS =
  /\/(sent-form|proof|passkeys|passkey-ceremony|code-field|mailed-code-fields|safe-html|safe-fragment|draw-shield|draw-check|check-worker|fairness|kept-\w+)\.tsx?$/

/** What screens share that show rounds and bets. */
const OF_PLAY = /\/(bet|device-signals|draw-check|draw-shield|fairness|offer|room-title)\.tsx?$/

/** What screens share on which money is paid: amounts that are typed or count up, and sheets that ask. */
const OF_MONEY =
  /\/(back-closes|deposit|deposit-sheet|members-only|time-line|typed-amount|use-counting-amount|use-last-value)\.tsx?$|\/sheet\.module\.css/

/** Imports the classes of a sheet by their names, so that a file holds only those that it uses. */
const classesByName: Plugin = {
  name: 'classes-by-name',
  enforce: 'pre',
  transform: (code, id) =>
    /\.tsx$/.test(id) && !code.includes('styles[')
      ? code.replace(/import styles from (?='[^']+\.module\.css')/, 'import * as styles from ')
      : null,
}

/** A class by its name and its sheet: the usual form has its line too, which a phone would load for nothing. */
function scopedClass(name: string, file: string): string {
  const path = relative(import.meta.dirname, file)
  return `_${name}_${createHash('sha256').update(path).digest('base64url').slice(0, 3)}`
}

export default defineConfig({
  css: { modules: { generateScopedName: scopedClass } },
  plugins: [
    classesByName,
    contractRoutes(),
    linguiCatalogs(),
    react(),
    screenPreloads(),
    startCheckFile(),
    // Writes dist/sw.js with the list of all built files. The page registers it by itself, and the
    // manifest is a file in public/, so nothing is put into index.html.
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'src/app',
      filename: 'sw.ts',
      injectRegister: false,
      manifest: false,
      injectManifest: {
        globPatterns: ['**/*.{html,js,css,svg,png,webp,webmanifest}'],
        rollupFormat: 'iife',
      },
    }),
    // Beside each file, what the server sends of it to browsers that take brotli or gzip.
    compression({ algorithms: ['brotliCompress', 'gzip'], threshold: 1_024 }),
  ],
  build: {
    outDir: 'dist',
    target: BUILD_TARGET,
    // The content security policy allows nothing inlined as data: that is not a picture.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              // All that is shown first, with the libraries, in one file that compresses as one: in
              // fifty small ones it is a tenth larger, and in two by 1.4 kB.
              name: 'index',
              test: /\/src\/main\.tsx$/,
              priority: 3,
            },
            {
              // What several screens share: a phone waits for each small file.
              name: 'common',
              test: (id) => /\/(src|@tanstack)\//.test(id) && !OF_FEW_SCREENS.test(id),
              minShareCount: 6,
              priority: 2,
            },
            // A phone waits for each of many small files: as one they come sooner, though a screen needs only a part.
            { name: 'play', test: OF_PLAY, priority: 1 },
            { name: 'live', test: /\/(own-stream|run-link|stale-data)\.ts$/, priority: 1 },
            {
              name: 'rounds',
              test: /\/(candles|game-tabs|requested-game|use-rounds)\.tsx?$/,
              priority: 1,
            },
            { name: 'money', test: OF_MONEY, priority: 1 },
            { name: 'forms', test: /react-hook-form|\/sent-form\.tsx/, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: { '/api': API, '/dev': API, '/uploads': API },
  },
})
