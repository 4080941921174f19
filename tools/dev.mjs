// npm run dev: all of the product with hot reload, see dev-stack.mjs.
import { join } from 'node:path'
import { prepare, root, runServer } from './prepare.mjs'

const node = await prepare()
const { code } = await runServer(node, [join(root, 'tools', 'dev-stack.mjs')])
process.exit(code)
