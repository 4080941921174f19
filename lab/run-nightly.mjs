// npm run nightly: the long proofs of the lab, one after the other, with a line each. Their output is in .cache/nightly.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../tools/child.mjs'
import { prepare, root } from '../tools/prepare.mjs'

const PROOFS = ['cluster', 'power', 'house', 'safe', 'image', 'mutants', 'fuzz']

await prepare()
const folder = join(root, '.cache', 'nightly')
mkdirSync(folder, { recursive: true })
let failed = 0
for (const name of PROOFS) {
  const { code, output, seconds } = await run('npm', ['run', '--silent', name], {
    cwd: root,
    quiet: true,
  })
  writeFileSync(join(folder, `${name}.log`), output)
  if (code !== 0) failed += 1
  const last = output.trim().split('\n').at(-1)
  console.log(
    `${code === 0 ? 'ended ' : 'failed'}  ${name.padEnd(8)} ${seconds.padStart(9)}  ${last}`,
  )
}
process.exit(failed > 0 ? 1 : 0)
