import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { StartError } from '#src/process/start-error.ts'
import { temporaryFolder } from '#testing/hosts/own-machine.ts'
import { lockDataFolder } from './data-folder-lock.ts'

let folder: string

beforeEach(() => {
  folder = temporaryFolder()
})

const holder = `
const { lockDataFolder } = await import(process.argv[1])
lockDataFolder({ folder: process.argv[2] })
process.on('SIGUSR2', () => {
  globalThis.gc()
  setTimeout(() => console.log('collected'), 20)
})
console.log('held')
setInterval(() => {}, 1000)
`

async function lockInAnotherProcess() {
  const module = new URL('./data-folder-lock.ts', import.meta.url).href
  const child = spawn(
    process.execPath,
    ['--expose-gc', '--input-type=module', '--eval', holder, '--', module, folder],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await once(child.stdout, 'data')
  return child
}

test('a folder is refused while another process holds it, naming both, and is free once that one is killed', async () => {
  const child = await lockInAnotherProcess()
  onTestFinished(() => void child.kill('SIGKILL'))
  const held = new StartError(
    `Sum28 is already running on the data folder ${folder} (process ${child.pid}): stop it first, or name another folder with DATA_DIR.`,
  )
  expect(() => lockDataFolder({ folder })).toThrow(held)
  // The lock outlives the garbage collection of what was returned for it.
  child.kill('SIGUSR2')
  await once(child.stdout, 'data')
  expect(() => lockDataFolder({ folder })).toThrow(held)
  child.kill('SIGKILL')
  await once(child, 'exit')
  lockDataFolder({ folder }).release()
})

test('a released folder can be taken again, and locks for different purposes do not meet', () => {
  const missing = join(folder, 'a', 'b')
  const first = lockDataFolder({ folder: missing })
  const other = lockDataFolder({ folder: missing, purpose: 'postgres' })
  expect(() => lockDataFolder({ folder: missing })).toThrow(StartError)
  // Releasing twice does no harm.
  first.release()
  first.release()
  lockDataFolder({ folder: missing }).release()
  other.release()
})

test('a file in the place of the folder is one clear sentence', () => {
  const path = join(folder, 'file')
  writeFileSync(path, '')
  for (const inTheWay of [path, join(path, 'below')]) {
    expect(() => lockDataFolder({ folder: inTheWay })).toThrow(
      new StartError(
        `The data folder ${inTheWay} cannot be written (a file of that name stands in its way): change its permissions, or name another folder with DATA_DIR.`,
      ),
    )
  }
})
