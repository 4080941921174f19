import { orderCsv } from '@sum28/contract/user-routes.ts'
import { expect, it } from 'vitest'
import { serveForTest } from '#testing/served-routes.ts'
import { bindDownload } from './serve-downloads.ts'

async function served(chunks: () => AsyncIterable<string>) {
  const download = bindDownload(orderCsv, async () => ({ name: 'a.csv', chunks: chunks() }))
  return serveForTest([], [download])
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

it('a file that fails later is broken off, so that nobody takes a part for the whole', async () => {
  const api = await served(async function* () {
    yield 'a,b\r\n'
    await new Promise((later) => setTimeout(later, 50))
    throw new Error('the database is elsewhere')
  })
  const response = await api.get(orderCsv.path, 1)
  expect(response.status).toBe(200)
  await expect(response.text()).rejects.toThrow()
})

it('a file is made no faster than it is read, and no further once its reader is gone', async () => {
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
