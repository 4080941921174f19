/** The balancer of `deploy/` in front of a bench's server, and addresses of one IPv6 customer on this machine. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts, until } from '../cluster/parts.ts'
import { HAPROXY } from '../cluster/programs.ts'

const CONFIGURATION = new URL('../../deploy/haproxy/compose.cfg', import.meta.url)

/** Of the network for documentation (RFC 3849): no other machine has one. */
const ADDRESSES = 256

export type Balancer = { port: number; stop(): Promise<void> }

/** Starts HAProxy with `deploy/haproxy/compose.cfg` in front of a server on this machine; null if it is not installed. */
export async function startBalancer(serverPort: number): Promise<Balancer | null> {
  if (!existsSync(HAPROXY)) return null
  const [port = 0] = await freePorts(1)
  const folder = mkdtempSync(join(tmpdir(), 'sum28-balancer-'))
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, configurationFor({ port, serverPort }))
  const child = spawn(HAPROXY, ['-db', '-q', '-f', file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await until('the balancer answers', async () => {
    return (await fetch(`http://127.0.0.1:${port}/api/index/config`)).ok
  })
  return {
    port,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
      rmSync(folder, { recursive: true })
    },
  }
}

/** The deployed rules, with this machine's port and server in place of the containers'. */
function configurationFor({ port, serverPort }: { port: number; serverPort: number }): string {
  const replaced = [
    [/^ {2}bind .*$/m, `  bind :${port}\n  bind :::${port} v6only`],
    [/^ {2}server sum28-1 .*$/gm, `  server sum28-1 127.0.0.1:${serverPort}`],
    [/^ {2}server sum28-2 .*\n/gm, ''],
    [/ resolvers names init-addr none$/gm, ''],
    [/^resolvers names\n( {2}.*\n)*/m, ''],
  ] as const
  return replaced.reduce(
    (text, [from, to]) => {
      if (text.search(from) < 0)
        throw new Error(`deploy/haproxy/compose.cfg has no line like ${from}`)
      return text.replace(from, to)
    },
    readFileSync(CONFIGURATION, 'utf8'),
  )
}

/** The n-th of as many addresses of one /48, each in a /64 and a /56 of its own. */
export function addressOf(n: number): string {
  return `2001:db8:1:${((n % ADDRESSES) * 257).toString(16)}::1`
}

/**
 * Gives this machine those addresses; only root on Linux can.
 *
 * @returns what takes them away again; null if this machine does not allow it
 */
export function haveAddresses(): (() => void) | null {
  const all = Array.from({ length: ADDRESSES }, (_, n) => addressOf(n))
  const change = (verb: string) =>
    execFileSync('ip', ['-6', '-batch', '-'], {
      input: all.map((address) => `addr ${verb} ${address}/128 dev lo`).join('\n'),
      stdio: ['pipe', 'ignore', 'ignore'],
    })
  try {
    change('add')
  } catch {
    return null
  }
  return () => change('del')
}
