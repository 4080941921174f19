/** A real NATS server of the test's own, if the machine has one. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { onTestFinished } from 'vitest'

const path = process.env.NATS_SERVER_PATH ?? '/usr/sbin/nats-server'

/** The program, or undefined if there is none; `npm test` finds or installs one and sets it. */
export const natsServerPath = existsSync(path) ? path : undefined

export type NatsServer = {
  readonly url: string
  stop(): Promise<void>
  /** Starts it again on the same port. */
  start(): Promise<void>
}

/** Starts a server on a free port of this machine; it ends with the test. */
export async function startNatsServer(...args: string[]): Promise<NatsServer> {
  const program = natsServerPath ?? ''
  if (!program) throw new Error('there is no nats-server')
  const port = await freePort()
  let child: ChildProcess | null = null

  /** Another program may have the port for a moment before the server has it, or while it is stopped. */
  async function start(): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await startOnce()
      } catch (error) {
        if (tries === 50 || !String(error).includes('address already in use')) throw error
        await new Promise((later) => setTimeout(later, 200))
      }
    }
  }

  async function startOnce(): Promise<void> {
    const started = spawn(program, ['-a', '127.0.0.1', '-p', String(port), ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    child = started
    let log = ''
    await new Promise<void>((resolve, reject) => {
      started.stderr.on('data', (chunk: Buffer) => {
        log += chunk.toString()
        if (log.includes('Server is ready')) resolve()
      })
      started.once('exit', (code) => reject(new Error(`nats-server ended with ${code}: ${log}`)))
    })
  }

  async function stop(): Promise<void> {
    const running = child
    child = null
    if (!running || running.exitCode !== null) return
    const ended = once(running, 'exit')
    running.kill('SIGKILL')
    await ended
  }

  onTestFinished(stop)
  await start()
  return { url: `nats://127.0.0.1:${port}`, start, stop }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  if (typeof address !== 'object' || address === null) throw new Error('no port is free')
  return address.port
}
