import { prepare } from './prepare.mjs'
import { runChecks } from './run-checks.mjs'

await prepare()
const { failed } = await runChecks()
process.exit(failed > 0 ? 1 : 0)
