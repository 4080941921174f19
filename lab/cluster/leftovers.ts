/** Ends processes of an earlier run that was killed: PostgreSQL outlives its Patroni. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeNamespaces } from './network.ts'
import { postmasterOf } from './postgres-nodes.ts'

/** The number is that of the run. */
const NAME = /^sum28-cluster-(\d+)-/

/** Makes a run's folder, after removing those of killed runs and the processes that still run in them. */
export function makeRunFolder(): string {
  for (const name of readdirSync(tmpdir())) {
    const run = NAME.exec(name)?.[1]
    if (!run || existsSync(`/proc/${run}`)) continue
    endRun(join(tmpdir(), name))
    removeNamespaces(Number(run))
  }
  return mkdtempSync(join(tmpdir(), `sum28-cluster-${process.pid}-`))
}

function endRun(folder: string): void {
  const parts = join(folder, 'parts')
  for (const name of existsSync(parts) ? readdirSync(parts) : []) {
    const postmaster = postmasterOf(join(parts, name, 'data'))
    if (postmaster !== null) process.kill(postmaster, 'SIGKILL')
    if (isMounted(join(parts, name))) spawnSync('umount', ['-l', join(parts, name)])
  }
  rmSync(folder, { recursive: true, force: true })
}

function isMounted(folder: string): boolean {
  return readFileSync('/proc/self/mounts', 'utf8').includes(` ${folder} `)
}
