// npm run dev: all of the product with hot reload, see dev-stack.mjs.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { run } from './child.mjs'
import { environment, prepare, root } from './prepare.mjs'

const node = await prepare()
const withParent = pathToFileURL(join(root, 'tools', 'end-with-parent.mjs')).href
const { code } = await run(
  node,
  [
    ...['--disable-warning=ExperimentalWarning', '--disable-sigusr1'],
    ...['--import', withParent],
    join(root, 'tools', 'dev-stack.mjs'),
  ],
  { cwd: root, env: environment(), server: true },
)
process.exit(code)
