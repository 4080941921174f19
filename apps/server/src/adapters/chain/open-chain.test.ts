import fastify from 'fastify'
import { expect, test } from 'vitest'
import { readConfig } from '#src/config.ts'
import { publishedRoot, serveRawNode } from '#testing/hosts/served-local-node.ts'
import { CALLS_PER_SECOND, openChain } from './open-chain.ts'

/** A node that answers nothing of use, and what it was asked: with which key, and when. */
async function listening() {
  const asked: { key: unknown; at: number }[] = []
  const url = await serveRawNode((request, response) => {
    asked.push({ key: request.headers['tron-pro-api-key'], at: performance.now() })
    response.end('{}')
  })
  return { url, asked }
}

test('each of two nodes gets its own key, and no more calls a second than public ones answer', async () => {
  const [first, second] = [await listening(), await listening()]
  const nodesOf = async (keys: string) => {
    const config = readConfig({
      TRON_API_URL: `${first.url},${second.url}`,
      TRON_XPUB: publishedRoot().derive("m/44'/195'/0'").publicExtendedKey,
      TRON_API_KEY: keys,
    })
    const options = {
      keys: { tronXpub: '' },
      tuning: {},
      heightMin: async () => null,
      serves: true,
    }
    const chain = await openChain(fastify(), { config, ...options })
    return chain.watched('')
  }
  for (const keys of ['k-1', 'k-1, k-2', ',k-2']) {
    const { node, second: other } = await nodesOf(keys)
    await node.solidHead()
    await other?.solidHead()
  }
  expect(first.asked.map(({ key }) => key)).toEqual(['k-1', 'k-1', undefined])
  expect(second.asked.map(({ key }) => key)).toEqual([undefined, 'k-2', 'k-2'])

  const { node } = await nodesOf('k-1')
  const from = first.asked.length
  await Promise.all(Array.from({ length: CALLS_PER_SECOND + 1 }, () => node.solidHead()))
  const times = first.asked.slice(from).map(({ at }) => at)
  expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(600)
})
