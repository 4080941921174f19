import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { giveToOwner } from '@sum28/fairness/witness/give-to-owner.ts'
import {
  diskFull,
  reportsDiskFull,
  StartError,
  systemCode,
  unwritableFolder,
} from '#src/process/start-error.ts'
import { syncFolder } from '#src/process/sync-folder.ts'
import type { PostgresAccount } from './postgres-account.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'

export const OWNER_ROLE = 'sum28_owner'

/** The files of one embedded server, all under `<data folder>/postgres`, which only this server uses. */
export type ClusterFiles = {
  /** The data folder as the user at the terminal knows it. */
  dataDir: string
  home: string
  cluster: string
  passwordFile: string
  logFile: string
}

export function clusterFiles(dataDir: string): ClusterFiles {
  const home = join(dataDir, 'postgres')
  return {
    dataDir,
    home,
    cluster: join(home, 'cluster'),
    passwordFile: join(home, 'password'),
    logFile: join(home, 'server.log'),
  }
}

/** Makes the server's folder, accessible to its owner only. @throws StartError */
export function makeHome({ home }: ClusterFiles): void {
  try {
    if (!existsSync(home)) {
      mkdirSync(home, { mode: 0o700 })
      giveToOwner(home)
    }
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    throw unwritableFolder({ folder: home, cause })
  }
}

/**
 * Gives the server's files to the account that will run it: needed at the first start, and after root has restored a
 * backup. @throws StartError if the file system has no owners.
 */
export function giveToAccount(
  files: ClusterFiles,
  { uid, gid }: { uid: number; gid: number },
): void {
  const foreign = [files.home, files.cluster, files.passwordFile].filter(
    (path) => existsSync(path) && statSync(path).uid !== uid,
  )
  if (foreign.length === 0) return
  try {
    execFileSync('chown', ['-R', `${uid}:${gid}`, ...foreign], { stdio: 'pipe' })
  } catch (cause) {
    throw new StartError(
      `PostgreSQL does not run as root, and files in the data folder ${files.dataDir} cannot be given to the user it runs as instead (the file system knows no owners, or this root may not): start as an ordinary user, name another folder with DATA_DIR, or set DATABASE_URL to a PostgreSQL of your own.`,
      { cause },
    )
  }
}

/**
 * Makes the database files if there are none, in UTF-8 and sorted by code point, with checksums and a random
 * password. They are made under another name and renamed when complete, so that a start that is killed in the middle
 * leaves nothing that the next start would take for a database.
 *
 * @returns the owner's password.
 * @throws StartError if the disk is full, initdb fails, or the files are of another version.
 */
export async function ensureCluster({
  files,
  binaries,
  account,
  durable,
  log,
}: {
  files: ClusterFiles
  binaries: PostgresBinaries
  account: PostgresAccount
  /** Whether to wait until the files are safely on disk. */
  durable: boolean
  log: (line: string) => void
}): Promise<string> {
  removeHalfMade(files)
  if (existsSync(files.cluster)) {
    assertVersion({ files, major: account.major })
    return readPassword(files)
  }
  log('Creating the database …')
  const password = randomBytes(24).toString('base64url')
  writePassword({ files, password, account })
  const made = `${files.cluster}.new-${process.pid}-${randomBytes(4).toString('hex')}`
  await runInitdb({ files, binaries, account, durable, made })
  renameSync(made, files.cluster)
  syncFolder(files.home)
  return password
}

function removeHalfMade({ home }: ClusterFiles): void {
  for (const name of readdirSync(home)) {
    if (!name.startsWith('cluster.new-')) continue
    rmSync(join(home, name), { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}

function assertVersion({ files, major }: { files: ClusterFiles; major: string }): void {
  const version = readIfThere(join(files.cluster, 'PG_VERSION')).trim()
  if (version === major) return
  const cause = version
    ? `The database in ${files.dataDir} was made by PostgreSQL ${version}, but this is PostgreSQL ${major}`
    : `The folder ${files.cluster} is not a PostgreSQL database`
  throw new StartError(
    `${cause}: move ${files.home} away to begin anew, or set DATABASE_URL to a PostgreSQL that serves that data.`,
  )
}

function readPassword(files: ClusterFiles): string {
  const password = readIfThere(files.passwordFile).trim()
  if (password) return password
  throw new StartError(
    `The password of the embedded database is missing in ${files.passwordFile}: put the file back, or move ${files.home} away to begin anew.`,
  )
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    if (systemCode(cause) === 'ENOENT') return ''
    throw unwritableFolder({ folder: dirname(file), cause })
  }
}

function writePassword({
  files,
  password,
  account,
}: {
  files: ClusterFiles
  password: string
  account: PostgresAccount
}): void {
  try {
    rmSync(files.passwordFile, { force: true })
    writeFileSync(files.passwordFile, `${password}\n`, { mode: 0o600, flush: true })
    chmodSync(files.passwordFile, 0o600)
    chownSync(files.passwordFile, account.uid, account.gid)
  } catch (cause) {
    throw unwritableFolder({ folder: files.dataDir, cause })
  }
}

async function runInitdb({
  files,
  binaries,
  account,
  durable,
  made,
}: {
  files: ClusterFiles
  binaries: PostgresBinaries
  account: PostgresAccount
  durable: boolean
  made: string
}): Promise<void> {
  const { file, args, ...identity } = account.launch(binaries.initdb, [
    `--pgdata=${made}`,
    `--username=${OWNER_ROLE}`,
    `--pwfile=${files.passwordFile}`,
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    '--auth-host=scram-sha-256',
    '--auth-local=reject',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ])
  const child = spawn(file, args, {
    ...identity,
    cwd: '/',
    // In its own session, so that Ctrl-C does not reach it: it takes a second and is then renamed.
    detached: true,
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const code = await new Promise<number | null>((resolve) => {
    child.on('error', (error) => {
      output += error.message
      resolve(null)
    })
    child.on('close', resolve)
  })
  if (code === 0) return
  rmSync(made, { recursive: true, force: true })
  throw initdbFailed({ files, output })
}

function initdbFailed({ files, output }: { files: ClusterFiles; output: string }): StartError {
  if (reportsDiskFull(output)) return diskFull(files.dataDir)
  const lines = output.trim().split('\n')
  const cause = lines.find((line) => /error|fatal|could not/i.test(line)) ?? lines[0] ?? ''
  return new StartError(
    `The embedded database could not be created in ${files.dataDir} (${cause.trim()}): name another folder with DATA_DIR, or set DATABASE_URL to a PostgreSQL of your own.`,
  )
}
