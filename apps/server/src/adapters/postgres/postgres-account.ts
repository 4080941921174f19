import { execFileSync, spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { StartError, systemCode } from '#src/process/start-error.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'

/** How to start a program under the account chosen for PostgreSQL. */
export type Launch = { file: string; args: string[]; uid?: number; gid?: number }

/** The account that PostgreSQL runs under, and how to switch to it from ours. */
export type PostgresAccount = {
  /** The owner of the data files. */
  uid: number
  gid: number
  /** The major version of the binaries, such as `18`. */
  major: string
  launch(file: string, args: string[]): Launch
}

type Way = (file: string, args: string[]) => Launch

/**
 * Chooses the account: our own, or, because PostgreSQL refuses root, the owner of the data folder unless that is
 * root, else `nobody`.
 *
 * That account may have no access to the folders, for example to a clone under /root. Only then it gets one
 * capability of root's: to read everywhere, or, if the machine denies that (containers) or the files' modes require
 * more, to ignore file permissions. Each way is tested with the real binary before it is used.
 *
 * @param folder must exist, and belongs to the account afterwards.
 * @throws StartError if no way works.
 */
export function choosePostgresAccount({
  binaries,
  folder,
  give,
}: {
  binaries: PostgresBinaries
  folder: string
  /** Makes the account the owner of `folder`. */
  give: (account: { uid: number; gid: number }) => void
}): PostgresAccount {
  const ourUid = process.getuid?.() ?? -1
  const ourGid = process.getgid?.() ?? -1
  if (ourUid !== 0) {
    const direct: Way = (file, args) => ({ file, args })
    const tried = tryWay({ way: direct, binaries, folder })
    if (tried.major) return { uid: ourUid, gid: ourGid, major: tried.major, launch: direct }
    throw cannotRun(tried.reason)
  }
  const { uid, gid } = unprivilegedAccount(folder)
  give({ uid, gid })
  let reason = ''
  for (const way of waysFromRoot({ uid, gid })) {
    const tried = tryWay({ way, binaries, folder })
    if (tried.major) return { uid, gid, major: tried.major, launch: way }
    reason ||= tried.reason
  }
  throw unreachable({ folder, uid, reason })
}

function unprivilegedAccount(folder: string): { uid: number; gid: number } {
  const owner = statSync(folder)
  if (owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  return { uid: idOfNobody('-u'), gid: idOfNobody('-g') }
}

function idOfNobody(which: '-u' | '-g'): number {
  const usual = 65_534
  try {
    const printed = execFileSync('id', [which, 'nobody'], { stdio: ['ignore', 'pipe', 'ignore'] })
    return Number.parseInt(printed.toString(), 10) || usual
  } catch {
    return usual
  }
}

function waysFromRoot({ uid, gid }: { uid: number; gid: number }): Way[] {
  const plain: Way = (file, args) => ({ file, args, uid, gid })
  const withCapability = (capability: string): Way => {
    // no_setuid_fixup: otherwise access(2), which PostgreSQL calls for its own binaries, answers an ordinary user
    // without considering capabilities (capabilities(7)).
    const options = [
      `--reuid=${uid}`,
      `--regid=${gid}`,
      '--clear-groups',
      '--securebits=+no_setuid_fixup',
      `--inh-caps=-all,+${capability}`,
      `--ambient-caps=+${capability}`,
      `--bounding-set=-all,+${capability}`,
    ]
    return (file, args) => ({ file: 'setpriv', args: [...options, '--', file, ...args] })
  }
  return [plain, withCapability('dac_read_search'), withCapability('dac_override')]
}

const MAY_NOT_CHANGE_USER = 'root may not become another user here'

type Tried = { major?: string; reason: string }

/** Asks the server binary for its version, then checks whether the data folder is writable. */
function tryWay({
  way,
  binaries,
  folder,
}: {
  way: Way
  binaries: PostgresBinaries
  folder: string
}): Tried {
  const script = '"$1" -V && [ -x "$1" ] && [ -x "$2" ] && cd "$3" && [ -w . ]'
  const { file, args, ...identity } = way('/bin/sh', [
    ...['-c', script, 'sh', binaries.postgres, binaries.initdb, folder],
  ])
  // PostgreSQL is always started from `/`, which every account can enter, unlike our working directory.
  const env = { PATH: process.env.PATH }
  const run = spawnSync(file, args, { ...identity, cwd: '/', env, encoding: 'utf8' })
  if (run.error && systemCode(run.error) === 'EPERM') return { reason: MAY_NOT_CHANGE_USER }
  if (run.error) return { reason: run.error.message }
  const major = /PostgreSQL\) (\d+)/.exec(run.stdout)?.[1]
  if (run.status === 0 && major) return { major, reason: '' }
  return { reason: firstLine(run.stderr) || 'permission denied' }
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0]?.trim() ?? ''
}

function cannotRun(reason: string): StartError {
  return new StartError(
    `The embedded PostgreSQL cannot run on this machine (${reason}): set DATABASE_URL to a PostgreSQL of your own.`,
  )
}

function unreachable({
  folder,
  uid,
  reason,
}: {
  folder: string
  uid: number
  reason: string
}): StartError {
  return new StartError(
    `PostgreSQL does not run as root, and the user it runs as instead (uid ${uid}) cannot use its program or the data folder ${folder} (${reason}): start as an ordinary user, move the clone and DATA_DIR out of folders that are closed to others, or set DATABASE_URL to a PostgreSQL of your own.`,
  )
}
