/** Goal: a file is received completely or not at all, and a refusal keeps its message. Method: a real server. */
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Answer, sendJson, startAnsweringServer } from '../testing/answering-server.ts'
import { Refusal, Unreachable } from './client.ts'
import { FileBroken, readDownload } from './read-download.ts'

const serve = async (answer: Answer) => (await startAnsweringServer(answer)).base

const CSV = {
  'Content-Type': 'text/csv; charset=utf-8',
  'Content-Disposition': 'attachment; filename="bets-2026-11-01-2026-11-20.csv"',
}

function download(url: string, more: Partial<Parameters<typeof readDownload>[0]> = {}) {
  return readDownload({
    url,
    headers: { Token: 'secret' },
    mediaType: 'text/csv',
    name: 'bets.csv',
    ...more,
  })
}

describe('a file that is created while it is sent', () => {
  it('arrives piece by piece, byte for byte, under the name that the server gives', async () => {
    const { base, received } = await startAnsweringServer((response) => {
      response.writeHead(200, CSV)
      response.write('\uFEFFOrder,Game\r\n')
      setTimeout(() => response.end('A1,ETH\r\n'), 30)
    })
    const progress: number[] = []
    const file = await download(base, { onProgress: (bytes) => progress.push(bytes) })
    expect(received[0]?.headers.token).toBe('secret')
    expect(file.name).toBe('bets-2026-11-01-2026-11-20.csv')
    const bytes = Buffer.from(await file.blob.arrayBuffer())
    expect(bytes.toString()).toBe('\uFEFFOrder,Game\r\nA1,ETH\r\n')
    expect(progress.at(-1)).toBe(bytes.length)
    expect(progress).toEqual([...progress].sort((one, other) => one - other))
  })

  it('has a default name if the server’s is not safe', async () => {
    for (const name of ['../../etc/passwd', '.bashrc', 'a/b.csv', '']) {
      const url = await serve((response) => {
        response.writeHead(200, {
          ...CSV,
          'Content-Disposition': `attachment; filename="${name}"`,
        })
        response.end('x')
      })
      expect((await download(url)).name).toBe('bets.csv')
    }
  })

  it('rejects with the server’s message if it is refused', async () => {
    const url = await serve((response) => {
      const data = { reason: 'invalid_input', fields: { end_date: 'too long' } }
      sendJson(response, { code: 400, msg: 'At most 366 days', time: '1', data }, 400)
    })
    const refusal = await download(url).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(Refusal)
    expect(refusal).toMatchObject({ code: 400, message: 'At most 366 days' })
  })

  it('is rejected as a whole if the connection breaks in the middle', async () => {
    const url = await serve((response) => {
      response.writeHead(200, CSV)
      response.write('Order,Game\r\n')
      setTimeout(() => response.destroy(), 30)
    })
    const error = await download(url).catch((each) => each)
    expect(error).toBeInstanceOf(Unreachable)
    expect(error).toBeInstanceOf(FileBroken)
  })

  it('is aborted when the server is silent, not when it is only slow', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    let writeLine = () => {}
    const url = await serve((response) => {
      response.writeHead(200, CSV)
      writeLine = () => response.write('line\r\n')
      writeLine()
    })
    let piece = Promise.withResolvers<void>()
    const onProgress = () => piece.resolve()
    const file = download(url, { silenceMs: 7_000, onProgress }).catch((error: unknown) => error)
    for (let line = 1; line <= 12; line += 1) {
      await piece.promise
      piece = Promise.withResolvers()
      // Altogether far more than a silence may last.
      vi.advanceTimersByTime(6_999)
      writeLine()
    }
    await piece.promise
    vi.advanceTimersByTime(7_000)
    const error = await file
    expect(error).toBeInstanceOf(Unreachable)
    expect(error).toMatchObject({ timedOut: true })
  })

  it('stops when the caller aborts it', async () => {
    const url = await serve((response) => {
      response.writeHead(200, CSV)
      response.write('line\r\n')
    })
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 50)
    const error = await download(url, { signal: stop.signal }).catch((each) => each)
    expect(error).toMatchObject({ name: 'AbortError' })
  })

  it('is not the page of a proxy', async () => {
    const url = await serve((response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' })
      response.end('<h1>Welcome to the hotel</h1>')
    })
    const error = await download(url).catch((each) => each)
    expect(error).toBeInstanceOf(Unreachable)
    expect(error).not.toBeInstanceOf(FileBroken)
  })
})
