/**
 * Three kinds of tests, so that each run starts only what its files need:
 * - `units`: pure functions, in Node;
 * - `components`: what a person sees, in a browser's document without a browser, on the contract's mock;
 * - `server`: modules, database and API, with one PostgreSQL for the whole run.
 */
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { linguiCatalogs } from './apps/web/build/plugins.ts'

// The processes that tests start, some hundred times the same, find their modules compiled.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '.cache', 'compiled')

const PROPERTY_SEED = 'tools/property-seed.ts'

const ROUTER = join(import.meta.dirname, 'node_modules/react-router/dist/development/index.mjs')

const NO_SOURCE = [...configDefaults.exclude, '**/dist/**']

export default defineConfig({
  test: {
    // Each waits a part of its time for the database or for processes: on two cores, three leave a tenth of them idle.
    maxWorkers: 4,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'units',
          setupFiles: [PROPERTY_SEED],
          // Nothing of a file outlives it, so that no process has to be started for each.
          isolate: false,
          include: ['{packages,apps,tools,lab}/**/*.test.ts'],
          exclude: [...NO_SOURCE, 'apps/server/**'],
        },
      },
      {
        extends: true,
        plugins: [linguiCatalogs()],
        // The one that react-admin loads: two of them would not know each other's routes.
        resolve: { alias: [{ find: /^react-router$/, replacement: ROUTER }] },
        test: {
          name: 'components',
          // What a file leaves in the page it cleans up, so that not each has to load the app anew.
          isolate: false,
          include: ['{packages,apps}/**/*.test.tsx'],
          exclude: NO_SOURCE,
          environment: 'happy-dom',
          // The console calculates with the colours of this one.
          css: { include: [/tokens\.css/] },
          setupFiles: [PROPERTY_SEED, 'packages/ui/testing/browser.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          setupFiles: [
            PROPERTY_SEED,
            'apps/server/testing/product/cheap-passwords.ts',
            'apps/server/testing/database/one-connection.ts',
          ],
          // What a file opens it closes, so that no process has to be started for each.
          isolate: false,
          include: ['apps/server/**/*.test.ts'],
          exclude: NO_SOURCE,
          // Each test file gets databases of its own from this server.
          globalSetup: ['apps/server/testing/database/database-server.ts'],
        },
      },
    ],
    // No measure of speed, only an end for what hangs: a machine may be slow and busy with other work.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 60_000,
  },
})
