/** HAProxy, which connects clients to the leading node, according to Patroni's REST API. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePorts, makePart, type Part } from './parts.ts'
import type { PostgresNode } from './postgres-nodes.ts'
import { HAPROXY } from './programs.ts'

export async function startHaproxy(
  folder: string,
  user: string,
  nodes: readonly PostgresNode[],
  checkSeconds: number,
): Promise<{ port: number; part: Part }> {
  const [port = 0] = await freePorts(1)
  const file = join(folder, 'haproxy.cfg')
  const servers = nodes.map(
    (node) => `  server ${node.name} ${node.host}:${node.port} check port ${node.restPort}`,
  )
  // Connections to a node that is no leader any more are closed at once.
  writeFileSync(
    file,
    `global
  maxconn 2000
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check ${checkSeconds}s
listen primary
  bind 127.0.0.1:${port}
  option httpchk
  http-check send meth OPTIONS uri /primary
  http-check expect status 200
  default-server inter 1s fastinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`,
  )
  const part = makePart({
    name: 'haproxy',
    user,
    command: HAPROXY,
    args: ['-db', '-f', file],
    logFile: join(folder, 'haproxy.log'),
  })
  part.start()
  return { port, part }
}
