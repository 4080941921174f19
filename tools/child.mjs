// Child processes that end when this process is asked to end. Each has its own process group, so
// that Ctrl-C reaches it once, from here, and not also from the terminal and from npm.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/** How long children have to end after a signal. */
const GRACE_MS = 20_000
/** npm repeats a signal that the terminal has sent to this process already. */
const SAME_KEYSTROKE_MS = 300

/** @type {Set<{ child: import('node:child_process').ChildProcess, alone: boolean }>} */
const running = new Set()
let stoppedBy = ''
let stoppedAt = 0

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(signal))
// When the terminal is closed, end as on SIGTERM; output is no longer possible then.
process.on('SIGHUP', () => stop('SIGTERM'))
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

// When a tool fails, the children it started end too. A server notices by its closed channel.
process.on('exit', () => {
  for (const one of running) if (!one.alone) send(one, 'SIGKILL')
})

// A shell between npm and this process passes on no signals, and a killed npm sends none.
if (process.env.npm_lifecycle_event) {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent && !stoppedBy) stop('SIGTERM')
  }, 200).unref()
}

function stop(signal) {
  if (stoppedBy) {
    if (Date.now() - stoppedAt > SAME_KEYSTROKE_MS && running.size > 0) {
      const left = Math.ceil((stoppedAt + GRACE_MS - Date.now()) / 1000)
      console.error(`Still stopping, for at most ${left} s more …`)
    }
    return
  }
  stoppedBy = signal
  stoppedAt = Date.now()
  if (running.size === 0) process.exit(128 + constants.signals[signal])
  if ([...running].some((one) => !one.alone)) console.error('Stopping …')
  for (const one of running) send(one, signal)
  setTimeout(() => {
    for (const one of running) send({ ...one, alone: false }, 'SIGKILL')
  }, GRACE_MS).unref()
}

function send({ child, alone }, signal) {
  if (child.pid === undefined) return
  try {
    process.kill(alone ? child.pid : -child.pid, signal)
  } catch {
    // The child has ended already.
  }
}

/** Prints one sentence and ends the process as failed. @returns {never} */
export function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}

/** After a signal nothing else runs: the last child to end ends the process, with the usual exit code. */
async function endIfStopped() {
  if (!stoppedBy) return
  if (running.size === 0) process.exit(128 + constants.signals[stoppedBy])
  await new Promise(() => {})
}

/**
 * Runs a program to its end. Processes that it leaves in its process group are ended too.
 *
 * @param {string} file
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, quiet?: boolean, server?: boolean, maxMs?: number }} options
 * `quiet` collects the output instead of showing it. A program that takes longer than `maxMs` is
 * ended with SIGTERM, at last with SIGKILL, and so has failed. `server` marks a program that ends its own
 * children on a signal, ends when this process dies, and whose exit code is wanted also after a
 * stop.
 * @returns {Promise<{ code: number, killed: boolean, output: string, seconds: string }>} `killed`: by others, such as
 * a system without memory
 */
export async function run(file, args, { cwd, env, quiet = false, server = false, maxMs } = {}) {
  const begun = Date.now()
  const stdio = quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit']
  if (server) stdio.push('ipc')
  const child = spawn(file, args, { cwd, env, stdio, detached: true })
  const entry = { child, alone: server }
  running.add(entry)
  const end = (signal) => send({ child, alone: false }, signal)
  // The second for one that handles the first, and still does not end.
  const limits = maxMs
    ? [setTimeout(end, maxMs, 'SIGTERM'), setTimeout(end, maxMs + GRACE_MS, 'SIGKILL')]
    : []
  let output = ''
  let killed = false
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) stream.setEncoding('utf8').on('data', (text) => (output += text))
  }
  const closed = new Promise((resolve) => child.on('close', resolve))
  const code = await new Promise((resolve) => {
    child.on('error', (error) => {
      output += error.message
      resolve(127)
    })
    child.on('exit', (exitCode, signal) => {
      killed = signal === 'SIGKILL' && !stoppedBy
      resolve(exitCode === null ? 128 + constants.signals[signal] : exitCode)
    })
  })
  for (const limit of limits) clearTimeout(limit)
  end('SIGKILL')
  // The last output may still be coming, and a grandchild in another group may keep the pipe open.
  if (quiet && child.pid !== undefined) await Promise.race([closed, sleep(1_000)])
  running.delete(entry)
  if (!server) await endIfStopped()
  return { code, killed, output, seconds: `${((Date.now() - begun) / 1000).toFixed(1)} s` }
}
