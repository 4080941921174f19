import { join } from 'node:path'
import { run } from './child.mjs'
import { environment, root } from './prepare.mjs'

const CHECKS = [
  { name: 'format and lint', tool: 'biome', args: ['check', '--error-on-warnings', '.'] },
  { name: 'types', tool: 'tsc', args: ['-p', 'tsconfig.json'] },
  ...['packages/ui', 'apps/web', 'apps/console'].map((app) => ({
    name: `types of ${app}`,
    tool: 'tsc',
    args: ['-p', `${app}/tsconfig.json`],
  })),
  {
    name: 'module order',
    tool: 'depcruise',
    args: ['--config', '.dependency-cruiser.mjs', 'packages', 'apps', 'e2e', 'lab'],
  },
  { name: 'unused code', tool: 'knip', args: ['--no-progress'] },
]
/** The target machine has two cores. */
const AT_ONCE = 2

/**
 * Runs every check of the sources. Prints a line for each, and the output of those that fail.
 *
 * @returns {Promise<{ passed: number, failed: number, skipped: number }>}
 */
export async function runChecks() {
  const total = { passed: 0, failed: 0, skipped: 0 }
  const waiting = [...CHECKS]
  const worker = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      total[await runCheck(check)] += 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return total
}

async function runCheck({ name, tool, args }) {
  const { code, output, seconds } = await run(join(root, 'node_modules', '.bin', tool), args, {
    cwd: root,
    env: environment(),
    quiet: true,
  })
  console.log(`${code === 0 ? '✓' : '✗'} ${name}  ${seconds}`)
  if (code === 0) return 'passed'
  console.log(output.trim())
  return 'failed'
}
