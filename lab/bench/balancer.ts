/** The balancer of `deploy/` in front of a bench's server, and addresses of a whole IPv6 network on this machine. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from '../cluster/parts.ts'
import { HAPROXY } from '../cluster/programs.ts'
import { eventually } from './stack.ts'

const CONFIGURATION = new URL('../../deploy/haproxy/compose.cfg', import.meta.url)

/** Of the networks for documentation (RFC 3849): no other machine has an address in it. */
const NETWORK = '2001:db8::/32'

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
  await eventually(async () => {
    const { ok } = await fetch(`http://127.0.0.1:${port}/api/index/config`).catch(() => ({
      ok: false,
    }))
    return ok || undefined
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
    [/^ {2}bind .*$/m, `  bind :::${port} v4v6`],
    [/^ {2}server-template .*$/m, `  server api 127.0.0.1:${serverPort}`],
    [/ resolvers names init-addr none$/m, ''],
    [/^resolvers names\n( {2}.*\n)*/m, ''],
  ] as const
  return replaced.reduce(
    (text, [from, to]) => {
      if (!from.test(text)) throw new Error(`deploy/haproxy/compose.cfg has no line like ${from}`)
      return text.replace(from, to)
    },
    readFileSync(CONFIGURATION, 'utf8'),
  )
}

/**
 * Lets programs of this machine use all addresses of the network; only root on Linux can.
 *
 * @returns what takes the network away again; null if this machine does not allow it
 */
export function haveNetwork(): (() => void) | null {
  const route = (verb: string) =>
    execFileSync('ip', ['-6', 'route', verb, 'local', NETWORK, 'dev', 'lo'], { stdio: 'ignore' })
  try {
    route('add')
  } catch {
    return null
  }
  return () => route('del')
}
