import { existsSync } from 'node:fs'
import { run } from './child.mjs'
import { environment } from './prepare.mjs'

/**
 * Installs Debian packages when this is Debian and the user is root; otherwise does nothing.
 *
 * @param {string[]} packages
 * @returns {Promise<void>} also when the installation failed: the caller checks for the program
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
