// Runs one of the project's TypeScript files with the pinned Node: node tools/run.mjs <file> [arguments]
import { resolve } from 'node:path'
import { fail, run } from './child.mjs'
import { environment, prepare } from './prepare.mjs'

const [file, ...args] = process.argv.slice(2)
if (!file) fail('Name the file to run: node tools/run.mjs <file> [arguments].')

const node = await prepare()
const { code } = await run(
  node,
  ['--disable-warning=ExperimentalWarning', '--disable-sigusr1', resolve(file), ...args],
  { env: environment() },
)
process.exit(code)
