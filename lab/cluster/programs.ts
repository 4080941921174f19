/** The Debian programs that the cluster test starts, and whether they are installed. */
import { existsSync, readdirSync } from 'node:fs'

const BY_PACKAGE = {
  'etcd-server': '/usr/bin/etcd',
  patroni: '/usr/bin/patroni',
  haproxy: '/usr/sbin/haproxy',
} as const

const POSTGRES = '/usr/lib/postgresql'

export const ETCD = BY_PACKAGE['etcd-server']
export const PATRONI = BY_PACKAGE.patroni
export const HAPROXY = BY_PACKAGE.haproxy

/** The folder of PostgreSQL's own programs, of the newest version from 15 on; null if there is none. */
export function postgresFolder(): string | null {
  if (!existsSync(POSTGRES)) return null
  const programs = (version: number) => `${POSTGRES}/${version}/bin`
  // A client alone has a folder too.
  const versions = readdirSync(POSTGRES)
    .map(Number)
    .filter((version) => version >= 15 && existsSync(`${programs(version)}/initdb`))
  return versions.length > 0 ? programs(Math.max(...versions)) : null
}

/** The Debian packages that are not installed. */
export function missingPackages(): string[] {
  const missing = Object.entries(BY_PACKAGE).flatMap(([name, path]) =>
    existsSync(path) ? [] : [name],
  )
  return postgresFolder() ? missing : [...missing, 'postgresql']
}

/** One of the commands of the project, which are plain JavaScript. */
type DebianPackages = { installDebianPackages(names: readonly string[]): Promise<void> }

/**
 * Installs packages with apt-get; only root on Debian can.
 *
 * @returns whether all are there now
 */
export async function installPackages(names: readonly string[]): Promise<boolean> {
  const tools: DebianPackages = await import(`../../tools/${'debian-packages'}.mjs`)
  await tools.installDebianPackages(names)
  return missingPackages().length === 0
}
