/**
 * Holds open streams for measurements, in a process of its own, with plain sockets: notes for each stream when it is
 * first told of a round's draw. stream-load.ts starts it.
 */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StreamLoad, StreamReport } from './stream-load.ts'

/** Fewer than wait at a listening socket. */
const OPENED_AT_ONCE = 200

/** How often a stream that is refused is asked for, and after how long again. */
const TRIES_MAX = 30
const AGAIN_MS = 1_000

/** Ports of one address of ours that are used; a machine has some 28,000 of each. */
const PORTS_OF_ADDRESS = 10_000

/** A draw in an event of a room: `last_issue` names the round that was drawn last. */
const DRAW = /"last_issue":\{[^{}]*?"issue":"?(\d+)/g

/** When each draw, `<game> <round>`, was told, in milliseconds since 1970, stream by stream. */
const received = new Map<string, number[]>()
let event = ''
let closed = 0
let refused = 0

process.on('message', async (message: StreamLoad | { forget: boolean }) => {
  if ('streams' in message) {
    await openAll(message)
    process.send?.('all are open')
    return
  }
  const draws = [...received].map(([draw, times]) => ({ draw, times: times.sort((a, b) => a - b) }))
  process.send?.({ draws, event, closed, refused } satisfies StreamReport)
  if (message.forget) received.clear()
})
process.on('disconnect', () => process.exit(0))

async function openAll(load: StreamLoad): Promise<void> {
  for (let first = 0; first < load.streams.length; first += OPENED_AT_ONCE) {
    const last = Math.min(first + OPENED_AT_ONCE, load.streams.length)
    await Promise.all(Array.from({ length: last - first }, (_, at) => open(load, first + at)))
  }
}

/** Opens a stream, and comes again like any client where the server has no time for it. */
async function open(load: StreamLoad, index: number): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const why = await tryToOpen(load, index)
    if (why === null) return
    if (tries === TRIES_MAX) throw new Error(`a stream was refused: ${why}`)
    refused += 1
    await sleep(AGAIN_MS)
  }
}

/** @returns what the server answered, where that is no stream */
function tryToOpen({ port, from, streams }: StreamLoad, index: number): Promise<string | null> {
  const { path, token, gameId, network } = streams[index] as StreamLoad['streams'][number]
  return new Promise((resolve, reject) => {
    const localAddress = `127.0.0.${from + Math.floor(index / PORTS_OF_ADDRESS)}`
    const socket: Socket = connect({ host: '127.0.0.1', port, localAddress })
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
      resolve(null)
    })
    socket.on('data', readerOf(gameId))
  })
}

/** Reads what comes on a stream, and notes each draw that it has not told before. */
function readerOf(gameId: number): (chunk: Buffer) => void {
  let unread = ''
  let lastIssue = ''
  return (chunk) => {
    const text = unread + chunk.toString('latin1')
    // Where the reply is sent in chunks, an event ends with the line break of its chunk.
    const isWhole = text.endsWith('\n\n') || text.endsWith('\n\n\r\n')
    unread = isWhole ? '' : text
    if (!isWhole || !text.includes('event: round')) return
    event = /event: round\ndata: [^\n]*\n\n/.exec(text)?.[0] ?? event
    // A process that was held up reads several draws at once.
    for (const [, issue = ''] of text.matchAll(DRAW)) {
      if (issue === lastIssue) continue
      const isNews = lastIssue !== ''
      lastIssue = issue
      if (!isNews) continue
      const draw = `${gameId} ${issue}`
      received.set(draw, received.get(draw) ?? [])
      received.get(draw)?.push(Date.now())
    }
  }
}
