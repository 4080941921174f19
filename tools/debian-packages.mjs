import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { run } from './child.mjs'
import { environment } from './prepare.mjs'

/** Asked by Debian's packages whether their services may be started; 101 says no (invoke-rc.d(8)). */
const POLICY = '/usr/sbin/policy-rc.d'

/** Another run of apt-get may be under way. */
const LOCK_SECONDS = 300

/**
 * Installs Debian packages when this is Debian and the user is root; otherwise does nothing. None of their
 * services is started: tests start their own.
 *
 * @param {string[]} packages
 * @returns {Promise<void>} also when the installation failed: the caller checks for the program
 */
export async function installDebianPackages(packages) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  const env = environment({ DEBIAN_FRONTEND: 'noninteractive' })
  const apt = (...args) =>
    run('apt-get', ['-q', '-o', `DPkg::Lock::Timeout=${LOCK_SECONDS}`, ...args], {
      env,
      quiet: true,
    })
  await apt('update')
  await withoutServices(() => apt('install', '-y', '--no-install-recommends', ...packages))
}

/** A machine that has a rule of its own keeps it. */
async function withoutServices(install) {
  if (existsSync(POLICY)) return install()
  writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  const remove = () => rmSync(POLICY, { force: true })
  // Also where a signal ends this process.
  process.once('exit', remove)
  try {
    return await install()
  } finally {
    process.off('exit', remove)
    remove()
  }
}
