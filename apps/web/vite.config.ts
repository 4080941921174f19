import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv } from 'vite'
import { linguiCatalogs } from './build/lingui-catalogs.ts'

/** Where the development server sends what is the API's; `API_ORIGIN` names another one. */
const API = loadEnv('', '.', 'API_').API_ORIGIN ?? 'http://127.0.0.1:3000'

export default defineConfig({
  plugins: [linguiCatalogs(), react()],
  build: {
    outDir: 'dist',
    target: 'es2022',
    // The content security policy allows nothing inlined as data: that is not a picture.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              // Changes seldom, so that an update of the app leaves it in the browser's cache.
              name: 'vendor',
              test: /node_modules\/(react|react-dom|scheduler|react-router|@tanstack|@lingui)\//,
            },
            {
              // One file a language instead of one an area.
              debugName: 'locales',
              name: (id: string) => {
                const locale = /\/src\/locales\/([\w-]+)\/[^/]+\.json$/.exec(id)?.[1]
                return locale && locale !== 'en' ? `locale-${locale}` : null
              },
            },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: { '/api': API, '/dev': API },
  },
})
