import { BUILD_TARGET } from '@sum28/ui/build/oldest-browsers.ts'
import { startCheckFile } from '@sum28/ui/build/start-check-file.ts'
import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv } from 'vite'
import { compression } from 'vite-plugin-compression2'

/** Where the development server sends what is the API's; `API_ORIGIN` names another one. */
const API = loadEnv('', '.', 'API_').API_ORIGIN ?? 'http://127.0.0.1:3000'

export default defineConfig({
  base: '/console/',
  plugins: [
    react(),
    startCheckFile(),
    // Beside each file, what the server sends of it to browsers that take brotli or gzip. The page
    // is made anew for each request, with its nonce.
    compression({ algorithms: ['brotliCompress', 'gzip'], threshold: 1_024, exclude: /\.html$/ }),
  ],
  // The server puts a nonce of its own in this place, for the style sheets that libraries write.
  html: { cspNonce: '__STYLE_NONCE__' },
  // One copy of each: they hand one another what is shared by React's context.
  resolve: { dedupe: ['react', 'react-dom', 'react-router', 'ra-core', '@tanstack/react-query'] },
  build: {
    target: BUILD_TARGET,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_500,
  },
  server: { port: 5174, proxy: { '/api': API, '/uploads': API } },
})
