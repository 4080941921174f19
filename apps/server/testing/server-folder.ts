/** Where the files of a test run's database server are: in memory where there is room for them. */
import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where Linux keeps files in memory: the databases are small, and cloned and dropped all the time. */
const MEMORY = '/dev/shm'

/** A server uses far less; where memory is short, a disk is slower but does not fill up. */
const ROOM_BYTES = 2 * 1024 ** 3

/** The number is that of the process which made the folder, and removes it in the end. */
const NAME = /^sum28-server-(\d+)-/

/** Makes a folder, which its caller removes, and removes those that a killed run has left. */
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

/** Another user's process is alive too. */
function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
