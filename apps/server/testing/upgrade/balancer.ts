/** HAProxy in front of the api processes, as in deploy/haproxy: it sends nothing to one that is not ready. */
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { freePorts, makePart, type Part } from '../cluster/parts.ts'
import { HAPROXY } from '../cluster/programs.ts'

export type Balancer = {
  readonly url: string
  readonly part: Part
  /** Sends no more requests to the process at a port, as if an operator had removed it. */
  takeOut(port: number): Promise<void>
}

/** @param ports of all processes that will ever run; those that are not running count as down */
export async function startBalancer(folder: string, ports: readonly number[]): Promise<Balancer> {
  const [port = 0] = await freePorts(1)
  const file = join(folder, 'balancer.cfg')
  const socket = join(folder, 'balancer.sock')
  writeFileSync(
    file,
    `global
  maxconn 2000
  stats socket ${socket} mode 600 level admin
defaults
  mode http
  timeout connect 2s
  timeout client 90s
  timeout server 90s
  timeout http-request 10s
  timeout http-keep-alive 60s
  timeout queue 5s
frontend players
  bind 127.0.0.1:${port}
  default_backend api
backend api
  balance leastconn
  option httpchk
  http-check send meth GET uri /readyz
  http-check expect status 200
  option redispatch 1
  retries 2
  retry-on conn-failure
  default-server check inter 1s fall 2 rise 2
${ports.map((each) => `  server api-${each} 127.0.0.1:${each}`).join('\n')}
`,
  )
  const part = makePart({
    name: 'haproxy',
    command: HAPROXY,
    args: ['-db', '-f', file],
    logFile: join(folder, 'balancer.log'),
  })
  part.start()
  return {
    url: `http://127.0.0.1:${port}`,
    part,
    takeOut: (server) =>
      new Promise((done, failed) => {
        const admin = connect(socket)
        admin.once('error', failed)
        admin.once('close', () => done())
        admin.resume()
        admin.end(`set server api/api-${server} state drain\n`)
      }),
  }
}
