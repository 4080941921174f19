// Takes the pictures of README.md and of the handbook from the real screens: npm run shots [-- <part of a file's name>]
import { join } from 'node:path'
import { buildApps } from './build-apps.mjs'
import { fail, run } from './child.mjs'
import { findChromium } from './find-chromium.mjs'
import { environment, prepare, root } from './prepare.mjs'

const node = await prepare()
const browser = await findChromium()
if (!browser) fail('The pictures need a Chromium.')
await buildApps(node)
const { code } = await run(
  join(root, 'node_modules', '.bin', 'playwright'),
  ['test', '--config', 'e2e/pictures.config.ts', ...process.argv.slice(2)],
  { cwd: root, env: environment({ CHROMIUM_PATH: browser }) },
)
process.exit(code)
