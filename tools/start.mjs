import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildApps } from './build-apps.mjs'
import { run } from './child.mjs'
import { environment, prepare, root } from './prepare.mjs'

const node = await prepare()
await buildApps(node)

const withParent = pathToFileURL(join(root, 'tools', 'end-with-parent.mjs')).href
const main = join(root, 'apps', 'server', 'src', 'main.ts')
const { code, killed } = await run(
  node,
  [
    // No debugger is opened by a signal.
    ...['--disable-warning=ExperimentalWarning', '--disable-sigusr1'],
    ...['--import', withParent, main, ...process.argv.slice(2)],
  ],
  { cwd: root, env: environment(), server: true },
)
if (killed) {
  console.error(
    '\nThe server was killed, perhaps because this machine had no memory left: start it again. Nothing that it has answered is lost.\n',
  )
}
process.exit(code)
