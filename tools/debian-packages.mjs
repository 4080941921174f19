import { existsSync } from 'node:fs'
import { run } from './child.mjs'
import { environment } from './prepare.mjs'

/**
 * Installs packages of Debian's, where this is Debian and its root; elsewhere nothing is done.
 *
 * @param {string[]} packages
 * @returns {Promise<void>} also when they could not be installed: look whether they are there
 */
export async function installDebianPackages(packages) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  const env = environment({ DEBIAN_FRONTEND: 'noninteractive' })
  await run('apt-get', ['update', '-q'], { env, quiet: true })
  await run('apt-get', ['install', '-q', '-y', '--no-install-recommends', ...packages], {
    env,
    quiet: true,
  })
}
