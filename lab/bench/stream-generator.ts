/**
 * Holds open streams for measurements, in a process of its own, with plain sockets: notes for each stream when it is
 * first told of a round's draw. stream-load.ts starts it.
 */
import { connect, type Socket } from 'node:net'
import type {
  FromStreams,
  StreamLoad,
  StreamReport,
  StreamRequest,
  ToStreams,
} from './stream-load.ts'

/** Fewer than wait at a listening socket. */
const OPENED_AT_ONCE = 200

/** How often a stream that is refused is asked for, and after how long again. */
const TRIES_MAX = 30
const AGAIN_MS = 1_000

/** Ports of one address of ours that are used; a machine has some 28,000 of each. */
const PORTS_OF_ADDRESS = 10_000

/** A draw in an event of a room: `last_issue` names the round that was drawn last. */
const DRAW = /"last_issue":\{[^{}]*?"issue":"?(\d+)/g

type Client = {
  socket: Socket
  gameId: number
  /** What came of an event that is not whole yet. */
  unread: string
  lastIssue: string
}

const clients: Client[] = []
/** When each stream was told of a draw, in milliseconds since 1970, by game and round. */
const received = new Map<string, number[]>()
let event = ''
let closed = 0
let refused = 0

process.on('message', (message: ToStreams) => {
  if (message.kind === 'open') {
    void openAll(message).then(
      () => send({ kind: 'opened' }),
      (error: Error) => {
        console.error(error)
        process.exit(1)
      },
    )
  } else {
    send({ kind: 'report', ...collected() })
    if (message.forget) received.clear()
  }
})
process.on('disconnect', () => process.exit(0))

function send(message: FromStreams): void {
  process.send?.(message)
}

function collected(): StreamReport {
  const draws = [...received].map(([draw, times]) => ({ draw, times: times.sort((a, b) => a - b) }))
  return { draws, event, closed, refused }
}

async function openAll(load: StreamLoad): Promise<void> {
  while (clients.length < load.streams.length) {
    const first = clients.length
    const next = load.streams.slice(first, first + OPENED_AT_ONCE)
    clients.push(
      ...(await Promise.all(next.map((stream, position) => open(load, stream, first + position)))),
    )
  }
}

/** Opens a stream, and comes again like any client where the server has no time for it. */
async function open(load: StreamLoad, stream: StreamRequest, index: number): Promise<Client> {
  for (let tries = 1; ; tries += 1) {
    const opened = await tryToOpen(load, stream, index)
    if (typeof opened !== 'string') return opened
    if (tries === TRIES_MAX) throw new Error(`a stream was refused: ${opened}`)
    refused += 1
    await new Promise((later) => setTimeout(later, AGAIN_MS))
  }
}

/** @returns what the server answered, where that is no stream */
function tryToOpen(
  { port, from }: StreamLoad,
  { path, token, gameId, network }: StreamRequest,
  index: number,
): Promise<Client | string> {
  return new Promise((resolve, reject) => {
    const localAddress = `127.0.0.${from + Math.floor(index / PORTS_OF_ADDRESS)}`
    const socket = connect({ host: '127.0.0.1', port, localAddress })
    const client: Client = { socket, gameId, unread: '', lastIssue: '' }
    socket.on('connect', () => {
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nToken: ${token}\r\nX-Forwarded-For: ${network}\r\n\r\n`,
      )
    })
    socket.on('error', reject)
    socket.once('close', () => resolve('the connection was closed'))
    socket.once('data', (chunk: Buffer) => {
      if (chunk.toString('latin1', 9, 12) !== '200') {
        socket.destroy()
        resolve(chunk.toString('utf8', 0, 100))
        return
      }
      socket.on('close', () => {
        closed += 1
      })
      resolve(client)
    })
    socket.on('data', (chunk: Buffer) => read(client, chunk))
  })
}

function read(client: Client, chunk: Buffer): void {
  const text = client.unread + chunk.toString('latin1')
  // Where the reply is sent in chunks, an event ends with the line break of its chunk.
  const isWhole = text.endsWith('\n\n') || text.endsWith('\n\n\r\n')
  client.unread = isWhole ? '' : text
  if (!isWhole || !text.includes('event: round')) return
  event = /event: round\ndata: [^\n]*\n\n/.exec(text)?.[0] ?? event
  // A process that was held up reads several draws at once.
  for (const [, issue = ''] of text.matchAll(DRAW)) noteDraw(client, issue)
}

function noteDraw(client: Client, issue: string): void {
  if (issue === client.lastIssue) return
  const isNews = client.lastIssue !== ''
  client.lastIssue = issue
  if (!isNews) return
  const draw = `${client.gameId} ${issue}`
  const times = received.get(draw)
  if (times) times.push(Date.now())
  else received.set(draw, [Date.now()])
}
