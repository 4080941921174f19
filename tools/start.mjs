import { join } from 'node:path'
import { buildApps } from './build-apps.mjs'
import { prepare, root, runServer } from './prepare.mjs'

const node = await prepare()
await buildApps(node)

const main = join(root, 'apps', 'server', 'src', 'main.ts')
const { code, killed } = await runServer(node, [main, ...process.argv.slice(2)])
if (killed) {
  console.error(
    '\nThe server was killed, perhaps because this machine had no memory left: start it again. Nothing that it has answered is lost.\n',
  )
}
process.exit(code)
