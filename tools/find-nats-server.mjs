import { spawnSync } from 'node:child_process'
import { installDebianPackages } from './debian-packages.mjs'

const USUAL_PLACES = [
  '/usr/sbin/nats-server',
  '/usr/bin/nats-server',
  '/usr/local/bin/nats-server',
  '/opt/homebrew/bin/nats-server',
]

/**
 * Finds a NATS server for the tests of the bus between machines; installs Debian's if possible.
 *
 * @returns {Promise<string | undefined>} its path, or undefined after a line that says what to do.
 */
export async function findNatsServer() {
  const found = thatRuns()
  if (found) return found
  console.log('There is no nats-server: installing one …')
  await installDebianPackages(['nats-server'])
  const installed = thatRuns()
  if (!installed) {
    console.log(
      'The tests of the bus on NATS are skipped: install "nats-server", or name one in NATS_SERVER_PATH.',
    )
  }
  return installed
}

function thatRuns() {
  return [process.env.NATS_SERVER_PATH, ...USUAL_PLACES].find(
    (path) => path && spawnSync(path, ['--version'], { stdio: 'ignore' }).status === 0,
  )
}
