import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const childModule = new URL('./child.mjs', import.meta.url).href
const endWithParent = fileURLToPath(new URL('./end-with-parent.mjs', import.meta.url))

/** A server that counts signals, takes 400 ms to end, and ends with code 7. */
const server = `
let count = 0
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {
  count += 1
  console.log(signal + count)
  if (count === 1) setTimeout(() => process.exit(7), 400)
})
setInterval(() => {}, 1000)
console.log('pid' + process.pid)
`

const tool = `
const { run } = await import(${JSON.stringify(childModule)})
const args = ['--import', ${JSON.stringify(endWithParent)}, '--eval', ${JSON.stringify(server)}]
const { code, killed } = await run(process.execPath, args, { server: true })
if (killed) console.log('killed')
process.exit(code)
`

async function startTool() {
  const { npm_lifecycle_event: _, ...env } = process.env
  const child = spawn(process.execPath, ['--input-type=module', '--eval', tool], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  // After the last process that writes to it has ended.
  const outputEnds = once(child.stdout, 'end')
  while (!/pid\d+\n/.test(output)) await sleep(10)
  const serverId = Number(/pid(\d+)/.exec(output)?.[1])
  const wholeOutput = async () => {
    await outputEnds
    return output
  }
  return { child, serverId, wholeOutput }
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0)
    return true
  } catch {
    return false
  }
}

test.for(['SIGINT', 'SIGTERM'] as const)(
  'a server ends with its own code on %s, however often it comes',
  async (signal) => {
    const { child, wholeOutput } = await startTool()
    const ended = once(child, 'exit')
    for (let times = 0; times < 3; times += 1) {
      child.kill(signal)
      await sleep(50)
    }
    expect(await ended).toEqual([7, null])
    const output = await wholeOutput()
    expect(output).toContain(`${signal}1`)
    expect(output).not.toContain(`${signal}2`)
  },
)

test('a server ends in order when the process that started it is killed', async () => {
  const { child, serverId, wholeOutput } = await startTool()
  child.kill('SIGKILL')
  while (isAlive(serverId)) await sleep(20)
  expect(await wholeOutput()).toContain('SIGTERM1')
})

test('a server that others have killed is told from one that has ended by itself', async () => {
  const { child, serverId, wholeOutput } = await startTool()
  const ended = once(child, 'exit')
  process.kill(serverId, 'SIGKILL')
  expect(await ended).toEqual([137, null])
  expect(await wholeOutput()).toContain('killed')
})

test('a program that takes too long is ended, and has failed', async () => {
  const endless = `
const { run } = await import(${JSON.stringify(childModule)})
const { code } = await run(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], { maxMs: 100 })
process.exit(code)
`
  const { npm_lifecycle_event: _, ...env } = process.env
  const child = spawn(process.execPath, ['--input-type=module', '--eval', endless], { env })
  expect(await once(child, 'exit')).toEqual([143, null])
})
