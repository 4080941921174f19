// npm leaves packages for other platforms out of the lock file when its registry does not have
// them. `npm ci` of npm 11 then refuses the lock file on every machine.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fail } from './child.mjs'
import { listedPath } from './listed-path.mjs'
import { root } from './prepare.mjs'

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
  Object.entries(optionalDependencies)
    .filter(([name]) => !listedPath(packages, { name, path }))
    .map(([name, version]) => `${name}@${version}`),
)
if (missing.length > 0) {
  fail(
    `package-lock.json lacks optional packages, so that "npm ci" fails: ${missing.join(', ')}. Run node tools/complete-lock.mjs.`,
  )
}
