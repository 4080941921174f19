/** `npm run witness -- --name <name> --log <key>`: a witness that anybody can run. See docs/fairness.md. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import {
  formatVerifierKey,
  isKeyName,
  readVerifierKey,
  type VerifierKey,
} from '../src/signed-note.ts'
import { LONGEST_REQUEST } from '../src/witness-protocol.ts'
import { openWitness, type Witness, type WitnessAnswer } from './witness.ts'

const USAGE = `npm run witness -- --name witness.example/w1 [--log <key of the log> …]

Signs that each of these logs only grows, by c2sp.org/tlog-witness: POST /add-checkpoint. A log's key is the first
line of its address followed by /vkeys. When it changes, name the later key after the earlier one: once the later one
has signed, the earlier one alone counts no more. Without --log it makes and prints its own key, and ends.

--folder .witness   the key of this witness and what it signed: keep it, and give it to nobody
--port 8028         --host 127.0.0.1

A network has 16 connections, but this machine has all: a proxy for https must be on it, read each request whole before
it passes it on, and limit the connections of a network itself.`

type Options = { name: string; logs: VerifierKey[]; folder: string; port: number; host: string }

/** @returns the options, or what is wrong with them */
export function readWitnessOptions(args: string[]): Options | string {
  try {
    const { values } = parseArgs({
      args,
      options: {
        name: { type: 'string' },
        log: { type: 'string', multiple: true },
        folder: { type: 'string', default: '.witness' },
        port: { type: 'string', default: '8028' },
        host: { type: 'string', default: '127.0.0.1' },
      },
    })
    const { name = '', log: keys = [], folder, host } = values
    const port = /^[0-9]{1,5}$/.test(values.port) ? Number(values.port) : 65_536
    if (!isKeyName(name)) return '--name must be a name without spaces and plus signs.'
    if (port > 65_535) return `--port ${values.port} is no port.`
    const logs = keys.map(readVerifierKey)
    const wrong = keys.find((_, at) => logs[at]?.type !== 'log')
    if (wrong !== undefined) return `--log ${JSON.stringify(wrong)} is not the key of a log.`
    return { name, logs: logs as VerifierKey[], folder, port, host }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** The witness over HTTP; it does not listen yet. */
export function serveWitness(witness: Witness): Server {
  const server = createServer(
    {
      requestTimeout: 10_000,
      headersTimeout: 10_000,
      keepAliveTimeout: 30_000,
      // Connections without a request end in time.
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => {
      answer(request, witness).then(
        (answered) => send(response, answered),
        (error: unknown) => {
          console.error(error)
          send(response, { status: 500, type: 'text/plain', body: 'the witness failed\n' })
        },
      )
    },
  )
  server.maxConnections = CONNECTIONS_MAX
  limitStrangers(server)
  return server
}

const CONNECTIONS_MAX = 256
const OF_A_STRANGER_MAX = 16

/** A proxy on this machine: its connections are of all addresses. */
const OWN_ADDRESSES = ['127.0.0.1', '::1', '::ffff:127.0.0.1']

/** Closes what one network opens beyond its share, so that it does not keep the log's connections out. */
function limitStrangers(server: Server): void {
  const opened = new Map<string, number>()
  server.on('connection', (socket) => {
    const { remoteAddress: address = '' } = socket
    if (OWN_ADDRESSES.includes(address)) return
    const network = networkOfStranger(address)
    const count = (opened.get(network) ?? 0) + 1
    if (count > OF_A_STRANGER_MAX) {
      socket.destroy()
      return
    }
    opened.set(network, count)
    socket.once('close', () => {
      const left = (opened.get(network) ?? 0) - 1
      if (left > 0) opened.set(network, left)
      else opened.delete(network)
    })
  })
}

/** An address of IPv4, or the /48 of one of IPv6: one customer can have all addresses of it. */
export function networkOfStranger(address: string): string {
  return address
    .replace(/^::ffff:/, '')
    .split(':', 3)
    .join(':')
}

async function answer(request: IncomingMessage, witness: Witness): Promise<WitnessAnswer> {
  const { method, url = '' } = request
  const text = (status: number, body: string) => ({
    status,
    type: 'text/plain; charset=utf-8',
    body,
  })
  if (url === '/add-checkpoint') {
    if (method !== 'POST') return text(405, 'POST a checkpoint here\n')
    const body = await readBody(request)
    if (body === 'too long') return text(413, 'the request is too long\n')
    return body === null ? text(400, 'this is not UTF-8\n') : witness.addCheckpoint(body)
  }
  if (method !== 'GET') return text(405, 'there is nothing to send here\n')
  if (url === '/') return text(200, `${formatVerifierKey(witness.key)}\n`)
  const [, originHash] = /^\/([0-9a-f]{64})\/checkpoint$/.exec(url) ?? []
  const note = originHash === undefined ? null : witness.latestNote(originHash)
  return note === null ? text(404, 'nothing was signed of this log\n') : text(200, note)
}

async function readBody(request: IncomingMessage): Promise<string | 'too long' | null> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request) {
    length += (part as Buffer).length
    if (length > LONGEST_REQUEST) return 'too long'
    parts.push(part as Buffer)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(parts))
  } catch {
    return null
  }
}

function send(response: ServerResponse, { status, type, body }: WitnessAnswer): void {
  // Only a log whose checkpoint was taken asks again soon.
  const isKept = response.req.url === '/add-checkpoint' && status === 200
  const close = isKept ? {} : { connection: 'close' }
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store', ...close })
  response.end(body)
}

function main(args: string[]): void {
  const options = readWitnessOptions(args)
  if (typeof options === 'string') {
    console.error(`${options}\n\n${USAGE}`)
    process.exitCode = 2
    return
  }
  const { name, logs, port, host } = options
  // npm runs commands in the repository's folder and puts the caller's folder into INIT_CWD.
  const folder = resolve(process.env.INIT_CWD ?? process.cwd(), options.folder)
  const witness = openWitness({ name, logs, folder, now: Date.now })
  console.log(`witness ${formatVerifierKey(witness.key)}`)
  // A log in production does not begin before it has the key of a witness.
  if (logs.length === 0) {
    console.log(
      'Give this key and your address to the operator of a log, and start again with --log.',
    )
    return
  }
  const server = serveWitness(witness)
  server.on('error', (error) => {
    console.error(`The witness cannot listen: ${error.message}`)
    process.exitCode = 1
  })
  server.listen(port, host, () => {
    const address = server.address()
    const at = typeof address === 'object' && address ? address.port : port
    console.log(
      `listens at http://${host}:${at}/add-checkpoint, for ${logs.map((log) => log.name).join(', ')}`,
    )
  })
}

if (import.meta.main) main(process.argv.slice(2))
