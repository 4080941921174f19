import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '#testing/hosts/own-machine.ts'

const MODULE = new URL('./process-end.ts', import.meta.url).href

/** A process that reports its start and its end, and follows commands. */
async function startProcess(by: 'signals' | 'parent', ends = "process.stdout.write('ended')") {
  const folder = temporaryFolder()
  const file = join(folder, 'process.mjs')
  writeFileSync(
    file,
    `import { processEnd } from '${MODULE}'
     const ending = new AsyncDisposableStack()
     ending.defer(async () => { ${ends} })
     const life = processEnd({
       ending, by: '${by}', withinMs: 200, survives: (error) => error.message === 'to survive',
     })
     setInterval(() => {}, 1000)
     process.on('message', (message) => {
       if (message === 'end') void life.end(3)
       if (message === 'reject') void Promise.reject(new Error('nobody waits for this'))
       if (message === 'survive') void Promise.reject(new Error('to survive'))
       if (message === 'throw') setImmediate(() => { throw new Error('nobody catches this') })
       process.send('done')
     })
     process.send('started')`,
  )
  const child = fork(file, { execArgv: ['--disable-warning=ExperimentalWarning'], silent: true })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text) => {
      output += String(text)
    })
  await once(child, 'message')
  return { child, output: () => output }
}

async function endOf(child: ChildProcess): Promise<number | null> {
  // 'close' does not reach a process that has closed the channel itself.
  const [[code]] = (await Promise.all([
    once(child, 'exit'),
    ...[child.stdout, child.stderr].map((stream) => stream && finished(stream)),
  ])) as unknown as [[number | null]]
  return code
}

test.each<[how: string, end: (child: ChildProcess) => unknown, code: number]>([
  ['SIGINT', (child) => child.kill('SIGINT'), 0],
  ['SIGTERM', (child) => child.kill('SIGTERM'), 0],
  ['SIGHUP', (child) => child.kill('SIGHUP'), 0],
  ['its own wish, with an exit code', (child) => child.send('end'), 3],
])('%s ends what runs, and then the process', async (_how, end, code) => {
  const { child, output } = await startProcess('signals')
  end(child)
  expect(await endOf(child)).toBe(code)
  expect(output()).toBe('ended')
})

test('a process with a parent is ended by the parent, and not by signals', async () => {
  const { child, output } = await startProcess('parent')
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) child.kill(signal)
  child.send('survive')
  await once(child, 'message')
  child.disconnect()
  expect(await endOf(child)).toBe(0)
  expect(output()).toBe('ended')
})

test('an end that fails is reported and is no success', async () => {
  const { child, output } = await startProcess('signals', "throw new Error('it cannot end')")
  child.kill('SIGTERM')
  expect(await endOf(child)).toBe(1)
  expect(output()).toContain('it cannot end')
})

test('an end that takes too long is cut short', async () => {
  const { child } = await startProcess('parent', 'await new Promise(() => {})')
  child.disconnect()
  expect(await endOf(child)).toBe(1)
})

test.each([
  ['reject', 'nobody waits for this'],
  ['throw', 'nobody catches this'],
])('an error that nobody catches (%s) is told and ends the process at once', async (how, text) => {
  const { child, output } = await startProcess('signals')
  child.send(how)
  expect(await endOf(child)).toBe(1)
  expect(output()).toContain(text)
  expect(output()).not.toContain('ended')
})
