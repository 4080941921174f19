import { orderCsv } from '@sum28/contract/user-routes.ts'
import { expect, it } from 'vitest'
import { CONNECTIONS } from '#src/resources.ts'
import { serveForTest } from '#testing/product/served-routes.ts'
import { eventually } from '#testing/requests/patience.ts'
import { BOUNDS, bindDownload, type DownloadBounds } from './serve-downloads.ts'

async function served(chunks: () => AsyncIterable<string>, bounds?: DownloadBounds) {
  const download = bindDownload(orderCsv, async () => ({ name: 'a.csv', chunks: chunks() }))
  return serveForTest([], [download], bounds)
}

it('a file that fails before its first piece is answered with an envelope', async () => {
  // biome-ignore lint/correctness/useYield: it fails before
  const api = await served(async function* () {
    throw new Error('the database is elsewhere')
  })
  const response = await api.get(orderCsv.path, 1)
  expect(response.status).toBe(500)
  const text = await response.text()
  expect(JSON.parse(text)).toMatchObject({ code: 500, data: { reason: 'fault' } })
  expect(text).not.toContain('elsewhere')
})

it('a file that fails later is aborted, so that no reader takes a part for the whole', async () => {
  const api = await served(async function* () {
    yield 'a,b\r\n'
    await new Promise((later) => setTimeout(later, 50))
    throw new Error('the database is elsewhere')
  })
  const response = await api.get(orderCsv.path, 1)
  expect(response.status).toBe(200)
  await expect(response.text()).rejects.toThrow()
})

it('a file is made no faster than it is read, and not after its reader has left', async () => {
  let made = 0
  let ended = () => {}
  const end = new Promise<void>((resolve) => {
    ended = resolve
  })
  const api = await served(async function* () {
    try {
      for (; made < 100_000; made++) yield 'x'.repeat(100_000)
    } finally {
      ended()
    }
  })
  const response = await api.get(orderCsv.path, 1)
  const reader = response.body?.getReader()
  await reader?.read()
  await new Promise((later) => setTimeout(later, 300))
  const held = made
  expect(held).toBeLessThan(1_000)
  await reader?.cancel()
  await end
  expect(made).toBeLessThan(held + 1_000)
})

const ENDLESS: DownloadBounds = { ...BOUNDS, idleMs: 3_600_000, longestMs: 3_600_000 }

/** A file without an end, and how many of them are being made. */
function endless() {
  const state = { open: 0 }
  async function* chunks() {
    state.open += 1
    try {
      for (;;) yield 'x'.repeat(100_000)
    } finally {
      state.open -= 1
    }
  }
  return { state, chunks }
}

it('files of one network are sent two at a time; a third is refused until one is done', async () => {
  const { state, chunks } = endless()
  const api = await served(chunks, ENDLESS)
  const first = await api.get(orderCsv.path, 1)
  const second = await api.get(orderCsv.path, 2)
  const third = await api.get(orderCsv.path, 3)
  expect([first.status, second.status, third.status]).toEqual([200, 200, 429])
  expect(third.headers.get('retry-after')).toBe('10')
  expect(await third.json()).toMatchObject({ code: 429, data: { reason: 'too_many_requests' } })
  await first.body?.cancel()
  await eventually(() => state.open === 1)
  await eventually(async () => {
    const next = await api.get(orderCsv.path, 3)
    const taken = next.status === 200
    await next.body?.cancel()
    return taken
  })
  await second.body?.cancel()
  await eventually(() => state.open === 0)
})

it('a player gets one file at a time, and all players together leave connections for staff', async () => {
  const { state, chunks } = endless()
  const api = await served(chunks, { ...ENDLESS, ofNetwork: 100 })
  const first = await api.get(orderCsv.path, 1)
  expect((await api.get(orderCsv.path, 1)).status).toBe(429)
  const others = await Promise.all([2, 3, 4, 5].map((player) => api.get(orderCsv.path, player)))
  expect(others.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429])
  expect(BOUNDS.ofPlayers + BOUNDS.ofStaff).toBe(CONNECTIONS.files)
  for (const { body } of [first, ...others]) await body?.cancel()
  await eventually(() => state.open === 0)
  await eventually(async () => {
    const next = await api.get(orderCsv.path, 1)
    await next.body?.cancel()
    return next.status === 200
  })
})

it('the connection of a reader who takes less than the least rate is closed, although he never stops', async () => {
  const { state, chunks } = endless()
  const api = await served(chunks, { ...ENDLESS, idleMs: 200, bytesASecond: 10 ** 12 })
  const reader = (await api.get(orderCsv.path, 1)).body?.getReader()
  const readOn = async () => {
    while (!(await reader?.read())?.done);
  }
  await expect(readOn()).rejects.toThrow()
  await eventually(() => state.open === 0)
})

it.each([
  ['takes nothing', { ...ENDLESS, idleMs: 100 }],
  ['is not done by the end', { ...ENDLESS, longestMs: 300 }],
])('the connection of a reader who %s is closed, and the file is let go', async (_name, bounds) => {
  const { state, chunks } = endless()
  const api = await served(chunks, bounds)
  const response = await api.get(orderCsv.path, 1)
  const reader = response.body?.getReader()
  // It may be closed before he has read at all.
  await reader?.read().catch(() => {})
  await eventually(() => state.open === 0)
  const readOn = async () => {
    while (!(await reader?.read())?.done);
  }
  await expect(readOn()).rejects.toThrow()
})

it('a player whose reader leaves before the first piece has his place until that is made', async () => {
  const firstRow = Promise.withResolvers<void>()
  let begun = 0
  const api = await served(async function* () {
    begun += 1
    await firstRow.promise
    yield 'a,b\r\n'
  })
  const headers = { Token: '1' }
  const reader = new AbortController()
  const left = fetch(api.url + orderCsv.path, { headers, signal: reader.signal }).catch(
    () => 'left',
  )
  await eventually(() => begun === 1)
  reader.abort()
  expect(await left).toBe('left')
  const next = async () => (await api.get(orderCsv.path, 1)).status
  // In this time the server hears that he has left.
  for (let n = 0; n < 20; n += 1) expect(await next()).toBe(429)
  firstRow.resolve()
  await eventually(async () => (await next()) === 200)
  expect(begun).toBe(2)
})
