/** The Debian programs that the cluster test starts, and whether they are installed. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'

const BY_PACKAGE = {
  'etcd-server': '/usr/bin/etcd',
  patroni: '/usr/bin/patroni',
  haproxy: '/usr/sbin/haproxy',
  'nats-server': '/usr/sbin/nats-server',
} as const

const POSTGRES = '/usr/lib/postgresql'

export const ETCD = BY_PACKAGE['etcd-server']
export const PATRONI = BY_PACKAGE.patroni
export const HAPROXY = BY_PACKAGE.haproxy
export const NATS_SERVER = BY_PACKAGE['nats-server']

/** The folder of PostgreSQL's own programs, of the newest version from 15 on; null if there is none. */
export function postgresFolder(): string | null {
  if (!existsSync(POSTGRES)) return null
  const versions = readdirSync(POSTGRES).map(Number)
  const newest = Math.max(...versions.filter((version) => version >= 15))
  return Number.isFinite(newest) ? `${POSTGRES}/${newest}/bin` : null
}

/** The Debian packages that are not installed. */
export function missingPackages(): string[] {
  const missing = Object.entries(BY_PACKAGE).flatMap(([name, path]) =>
    existsSync(path) ? [] : [name],
  )
  return postgresFolder() ? missing : [...missing, 'postgresql']
}

/**
 * Installs packages with apt-get. None of their services is started: the test starts its own.
 *
 * @returns whether all are installed now; only root can install
 */
export function installPackages(names: readonly string[]): boolean {
  if (process.getuid?.() !== 0) return false
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  spawnSync('apt-get', ['update', '-q'], { env, stdio: 'ignore' })
  const install = ['install', '-q', '-y', '--no-install-recommends', ...names]
  spawnSync('apt-get', install, { env, stdio: 'inherit' })
  return missingPackages().length === 0
}
