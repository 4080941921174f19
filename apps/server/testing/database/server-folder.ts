/** The folder of a test run's database server: in memory if there is room. */
import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where Linux has files in memory: the databases are small, and are cloned and dropped all the time. */
const MEMORY = '/dev/shm'

/** A server uses far less; if memory is short, a disk is slower but does not fill up. */
const ROOM_BYTES = 2 * 1024 ** 3

/** The number is the process id of the maker, which removes the folder in the end. */
const NAME = /^sum28-server-(\d+)-/

/** Makes a folder, which its caller removes, and removes those of killed runs. */
export function makeServerFolder(): string {
  const parent = hasRoom() ? MEMORY : tmpdir()
  for (const name of readdirSync(parent)) {
    const owner = NAME.exec(name)?.[1]
    if (owner && !isAlive(Number(owner))) {
      rmSync(join(parent, name), { recursive: true, force: true })
    }
  }
  return mkdtempSync(join(parent, `sum28-server-${process.pid}-`))
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize > ROOM_BYTES && process.availableMemory() > 2 * ROOM_BYTES
  } catch {
    return false
  }
}

/** A process of another user also counts as running. */
function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
