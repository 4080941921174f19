// The product during development: a database that stays, the server restarted whenever its sources change, and Vite
// for the app and the console. Runs with the pinned Node, in the root folder.
import { join } from 'node:path'
import { createServer } from 'vite'
import { startEmbeddedPostgres } from '../apps/server/src/adapters/postgres/embedded-postgres.ts'
import { takeEnvironment } from '../apps/server/src/config.ts'
import { devPorts } from './dev-addresses.ts'
import { root } from './prepare.mjs'
import { startRestartedServer } from './restarted-server.mjs'

/** The server's sources: a change in them restarts it. */
const SERVER_SOURCES = [
  'apps/server/src',
  'apps/server/sql',
  ...['contract', 'domain', 'fairness', 'i18n'].map((name) => `packages/${name}/src`),
]

const settings = takeEnvironment()
// Separate from the data of `npm start`, so that an unfinished migration does not damage that.
// An empty setting is none, as for the server.
const dataDir = settings.DATA_DIR || '.data/dev'

/** How to end each started part; the last one is ended first. */
const undo = []
let ending

function end(code) {
  ending ??= (async () => {
    for (const step of undo.splice(0).reverse()) await step()
    process.exit(code)
  })()
}

/** Vite has its own signal handlers, which would end this process before the other parts have ended. */
function listenToSignals() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.removeAllListeners(signal)
    process.on(signal, () => end(0))
  }
  process.stdin.removeAllListeners('end')
}

listenToSignals()
try {
  const { port, webPort, consolePort } = await devPorts(settings)
  const app = `http://localhost:${webPort}`
  const api = `http://127.0.0.1:${port}`
  const databaseUrl = settings.DATABASE_URL || (await startDatabase())
  await startVite('apps/console', consolePort, { '/api': api })
  const { watcher } = await startVite('apps/web', webPort, {
    '/api': api,
    '/dev': api,
    '/uploads': api,
    '/tlog': api,
    '/console': { target: `http://localhost:${consolePort}`, ws: true },
  })
  if (!ending) startServer({ app, databaseUrl, watcher })
  if (!ending) console.log(addresses({ app, api }))
} catch (error) {
  if (!ending) console.error(`\n${error.message}\n`)
  end(1)
}

async function startDatabase() {
  const postgres = await startEmbeddedPostgres({ dataDir, log: (line) => console.log(line) })
  undo.push(() => postgres.stop())
  postgres.died.then((error) => {
    if (ending) return
    console.error(error.message)
    end(1)
  })
  return postgres.ownerUrl
}

async function startVite(folder, onPort, proxy) {
  const vite = await createServer({
    root: join(root, folder),
    configFile: join(root, folder, 'vite.config.ts'),
    clearScreen: false,
    server: { port: onPort, strictPort: true, proxy },
  })
  undo.push(() => vite.close())
  listenToSignals()
  await vite.listen()
  return vite
}

function startServer({ app, databaseUrl, watcher }) {
  const server = {
    file: 'apps/server/src/main.ts',
    sources: SERVER_SOURCES,
    env: {
      ...settings,
      PUBLIC_URL: settings.PUBLIC_URL || app,
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
    },
  }
  undo.push(startRestartedServer(server, watcher))
}

function addresses({ app, api }) {
  return [
    '',
    'Sum28 for development: what is changed is shown at once.',
    '',
    `  App         ${app}`,
    `  Console     ${app}/console/`,
    `  API         ${api}   (starts in a moment)`,
    `  Data        ${dataDir}   (delete it to begin again)`,
    '',
    'Ctrl-C stops everything.',
    '',
  ].join('\n')
}
