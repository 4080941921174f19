/** The previous release, in a separate work tree with its packages. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of this release. */
export const OWN_TREE = fileURLToPath(new URL('../../../../', import.meta.url)).replace(/\/$/, '')

const MIGRATIONS = 'apps/server/sql/migrations'

/** The last commit of this history with other migrations than the present ones, along first parents. */
export function commitBefore(): string {
  const now = git('rev-parse', `HEAD:${MIGRATIONS}`)
  const commits = git('rev-list', '--first-parent', 'HEAD').split('\n')
  const before = commits.find((commit) => git('rev-parse', `${commit}:${MIGRATIONS}`) !== now)
  if (!before) throw new Error('no earlier commit has other migrations: name one by --from')
  return before
}

/** A short commit id, with the first line of its message. */
export function nameOf(ref: string): string {
  return git('log', '-1', '--format=%h “%s”', ref)
}

/** Makes the tree in a folder that does not exist yet. */
export function makeTree(ref: string, folder: string): void {
  git('worktree', 'add', '--detach', folder, ref)
  const lock = (tree: string) => readFileSync(join(tree, 'package-lock.json'), 'utf8')
  const linked =
    lock(folder) === lock(OWN_TREE) &&
    // Our own packages are links to relative folders, and so point into the new tree.
    run('cp', ['-al', join(OWN_TREE, 'node_modules'), join(folder, 'node_modules')], OWN_TREE)
  if (!linked && !run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], folder)) {
    throw new Error(`npm ci failed in ${folder}`)
  }
}

/** Whether a process of this release reports that it is not ready before it ends. */
export function drains(folder: string): boolean {
  return readFileSync(join(folder, '.env.example'), 'utf8').includes('DRAIN_SECONDS')
}

export function removeTree(folder: string): void {
  run('git', ['worktree', 'remove', '--force', folder], OWN_TREE)
}

function git(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: OWN_TREE, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr.trim()}`)
  return stdout.trim()
}

function run(command: string, args: readonly string[], cwd: string): boolean {
  return spawnSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0
}
