import { QUICKNET } from '@sum28/fairness/quicknet.ts'
import { fetchBeacon } from 'drand-client'
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { hostClient } from './host-client.ts'

// A real value of quicknet.
const round = 1000
const signature =
  'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39'
const randomness = 'fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd'
const ofRound1001 =
  'b33bf3667cbd5a82de3a24b4e0e9fe5513cc1a0e840368c6e31f5fcfa79bea03f73896b25883abf2853d10337fb8fa41'

async function fetchFrom(answer: unknown) {
  const app = Fastify({ forceCloseConnections: true })
  app.get('/*', async () => answer)
  const host = await app.listen({ port: 0, host: '127.0.0.1' })
  const { signal } = new AbortController()
  try {
    return await fetchBeacon(
      hostClient({ host, info: QUICKNET, round, timeoutMs: 60_000, signal }),
      round,
    )
  } finally {
    await app.close()
  }
}

it('lets drand’s client library fetch and verify a true value', async () => {
  await expect(fetchFrom({ round, signature, randomness })).resolves.toEqual({
    round,
    signature,
    randomness,
  })
})

it.each([
  ['another round’s', ofRound1001],
  ['a point off the curve', `9${signature.slice(1)}`],
])('lets the library refuse a signature by itself: %s', async (_, forged) => {
  await expect(fetchFrom({ round, signature: forged })).rejects.toThrow()
})

it('does not return the latest round', async () => {
  const { signal } = new AbortController()
  const host = 'http://127.0.0.1:9'
  const client = hostClient({ host, info: QUICKNET, round, timeoutMs: 500, signal })
  await expect(client.latest()).rejects.toThrow('only an announced round')
})
