import { linguiCatalogs } from '@sum28/ui/build/lingui-catalogs.ts'
import { BUILD_TARGET } from '@sum28/ui/build/oldest-browsers.ts'
import { startCheckFile } from '@sum28/ui/build/start-check-file.ts'
import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv } from 'vite'
import { compression } from 'vite-plugin-compression2'
import { VitePWA } from 'vite-plugin-pwa'
import { contractRoutes } from './build/contract-routes.ts'
import { screenPreloads } from './build/screen-preloads.ts'

/** Where the development server sends what is the API's; `API_ORIGIN` names another one. */
const API = loadEnv('', '.', 'API_').API_ORIGIN ?? 'http://127.0.0.1:3000'

/** What comes with a large library that only few screens need: forms, codes, the operator's texts. */
const OF_FEW_SCREENS =
  /\/(sent-form|text-field|new-password-fields|code-field|mailed-code-fields|safe-html|safe-fragment)\.tsx?$|otp-field/

export default defineConfig({
  plugins: [
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
              // Changes seldom, so that an update of the app leaves it in the browser's cache. What
              // only later screens use of these libraries comes with them.
              name: 'vendor',
              test: /node_modules\/(react|react-dom|scheduler|@tanstack|@lingui)\//,
              tags: ['$initial'],
              priority: 2,
            },
            {
              // All that is shown first, in one file that compresses as one: in fifty small ones it
              // is a tenth larger.
              name: 'index',
              test: /\/src\/(main\.tsx|screens\/home\/home-screen\.tsx)$/,
              priority: 1,
            },
            {
              // What several screens share: a phone waits for each small file.
              name: 'common',
              test: (id) => /\/(src|@base-ui|@floating-ui)\//.test(id) && !OF_FEW_SCREENS.test(id),
              minShareCount: 6,
              priority: 1,
            },
            { name: 'forms', test: /react-hook-form|sent-form|text-field/, priority: 1 },
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
