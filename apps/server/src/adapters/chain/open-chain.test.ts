import fastify from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '#src/config.ts'
import { publishedRoot, serveRawNode } from '#testing/hosts/served-local-node.ts'
import { holdTime } from '#testing/requests/held-time.ts'
import { openChain } from './open-chain.ts'

/** A node that answers nothing of use, and the keys with which it was asked. */
async function listening() {
  const keys: unknown[] = []
  const url = await serveRawNode((request, response) => {
    keys.push(request.headers['tron-pro-api-key'])
    response.end('{}')
  })
  return { url, keys }
}

test('each of two nodes gets its own key, and no more calls a second than public ones answer', async () => {
  const [first, second] = [await listening(), await listening()]
  const nodesOf = async (keys: string) => {
    const config = readConfig({
      TRON_API_URL: `${first.url},${second.url}`,
      TRON_XPUB: publishedRoot().derive("m/44'/195'/0'").publicExtendedKey,
      TRON_API_KEY: keys,
    })
    const chain = await openChain(fastify(), { config, keys: { tronXpub: '' }, localDb: null })
    return chain.watched('')
  }
  for (const keys of ['k-1', 'k-1, k-2', ',k-2']) {
    const { node, second: other } = await nodesOf(keys)
    await node.solidHead()
    await other?.solidHead()
  }
  expect(first.keys).toEqual(['k-1', 'k-1', undefined])
  expect(second.keys).toEqual([undefined, 'k-2', 'k-2'])

  const { node } = await nodesOf('k-1')
  const calls = vi.spyOn(globalThis, 'fetch')
  onTestFinished(() => calls.mockRestore())
  // Those of this file alone: the worker's product asks its own node meanwhile.
  const begun = () => calls.mock.calls.filter(([url]) => String(url).startsWith(first.url)).length
  holdTime('setTimeout')
  const answers = Promise.all(Array.from({ length: 8 }, () => node.solidHead()))
  await vi.advanceTimersByTimeAsync(900)
  expect(begun()).toBe(7)
  await vi.advanceTimersByTimeAsync(100)
  expect(begun()).toBe(8)
  await answers
})
