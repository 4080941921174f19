import { QUICKNET } from '@sum28/fairness/quicknet.ts'
import Fastify, { type FastifyReply } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { BeaconError, type HostFailure } from './beacon.ts'
import { createDrandBeacon } from './drand-beacon.ts'

// Two true values of quicknet.
const round1000 = {
  round: 1000,
  signature:
    'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39',
  randomness: 'fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd',
}
const round1001 = {
  round: 1001,
  signature:
    'b33bf3667cbd5a82de3a24b4e0e9fe5513cc1a0e840368c6e31f5fcfa79bea03f73896b25883abf2853d10337fb8fa41',
  randomness: 'b0a591ad1b9002cfc372ac6e30abd3da8d3088d4caae026961743474fb94235f',
}

const apps: { close(): Promise<unknown> }[] = []

afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()))
})

// A relay behind a real port that gives to every question the answer it is told to give.
async function relay(answer: (reply: FastifyReply) => unknown) {
  const asked: string[] = []
  const app = Fastify({ forceCloseConnections: true })
  apps.push(app)
  app.get('/*', async (request, reply) => {
    asked.push(request.url)
    return answer(reply)
  })
  const host = await app.listen({ port: 0, host: '127.0.0.1' })
  return { host, asked }
}

// The address of a relay that was there and is gone.
async function deadRelay(): Promise<string> {
  const app = Fastify()
  const host = await app.listen({ port: 0, host: '127.0.0.1' })
  await app.close()
  return host
}

async function fetchRound1000(hosts: string[], signal = new AbortController().signal) {
  const failures: HostFailure[] = []
  const onHostFailure = (failure: HostFailure) => void failures.push(failure)
  const beacon = createDrandBeacon({ info: QUICKNET, hosts, timeoutMs: 500, onHostFailure })
  const result = await beacon.fetchRound(1000, signal).catch((error: unknown) => error)
  return { result, failures }
}

describe('fetching a round', () => {
  it("returns quicknet's true value and asks at drand's address", async () => {
    const { host, asked } = await relay(() => round1000)
    const { result, failures } = await fetchRound1000([`${host}/`])
    expect(result).toEqual(round1000)
    expect(failures).toEqual([])
    expect(asked).toEqual([`/${QUICKNET.chainHash}/public/1000`])
  })

  it('computes the randomness where a host leaves it out, and drops what else it says', async () => {
    const { round, signature } = round1000
    const { host } = await relay(() => ({ round, signature, previous_signature: 'ab' }))
    expect((await fetchRound1000([host])).result).toEqual(round1000)
  })

  it('asks no further host once it has the value', async () => {
    const [one, two] = [await relay(() => round1000), await relay(() => round1000)]
    await fetchRound1000([one.host, two.host])
    expect(two.asked).toEqual([])
  })

  it.each([
    ['a forged signature', { ...round1000, signature: `9${round1000.signature.slice(1)}` }],
    ['a signature that is no hex', { ...round1000, signature: 'hello' }],
    ["another round's signature", { ...round1000, signature: round1001.signature }],
    ["another round's value under the right number", { ...round1001, round: 1000 }],
    ['another round, true in itself', round1001],
    ['an older round, as a stale cache would', { ...round1000, round: 999 }],
    ['another randomness', { ...round1000, randomness: round1001.randomness }],
    ['a randomness that is none', { ...round1000, randomness: null }],
  ])('refuses %s, and takes the next host', async (_, lie) => {
    const { host: liar } = await relay(() => lie)
    const { host: honest } = await relay(() => round1000)
    const { result, failures } = await fetchRound1000([liar, honest])
    expect(result).toEqual(round1000)
    expect(failures).toMatchObject([{ host: liar, failure: 'lies' }])

    const alone = await fetchRound1000([liar])
    expect(alone.result).toBeInstanceOf(BeaconError)
    expect(alone.result).toMatchObject({ failure: 'lies', round: 1000 })
  })

  it.each<[string, (reply: FastifyReply) => unknown]>([
    ['has a fault', (reply) => reply.code(500).send('oops')],
    ['sends a page', (reply) => reply.type('text/html').send('<h1>maintenance</h1>')],
    ['sends JSON of another kind', () => ({ hello: 'world' })],
    ['sends null', (reply) => reply.type('application/json').send('null')],
    ['sends a round as text', () => ({ ...round1000, round: '1000' })],
    ['sends without end', () => ({ ...round1000, padding: 'x'.repeat(5_000_000) })],
    ['is silent', () => new Promise(() => undefined)],
  ])('takes the next host when one %s', async (_, answer) => {
    const { host: broken } = await relay(answer)
    const { host: honest } = await relay(() => round1000)
    const { result, failures } = await fetchRound1000([broken, honest])
    expect(result).toEqual(round1000)
    expect(failures).toMatchObject([{ host: broken, failure: 'unreachable' }])
  })

  it('follows no redirect, not even to where the value is', async () => {
    const { host: elsewhere, asked } = await relay(() => round1000)
    const { host } = await relay((reply) => reply.redirect(`${elsewhere}/inside`))
    expect((await fetchRound1000([host])).result).toMatchObject({ failure: 'unreachable' })
    expect(asked).toEqual([])
  })

  it('takes the next host when one is down, and says so when all are', async () => {
    const [dead, gone] = [await deadRelay(), await deadRelay()]
    const { host: honest } = await relay(() => round1000)
    expect((await fetchRound1000([dead, honest])).result).toEqual(round1000)
    const { result } = await fetchRound1000([dead, gone])
    expect(result).toMatchObject({
      failure: 'unreachable',
      hosts: [
        { host: dead, detail: 'ECONNREFUSED' },
        { host: gone, detail: 'ECONNREFUSED' },
      ],
    })
  })

  it.each([404, 425])('understands status %i as not yet', async (status) => {
    const { host } = await relay((reply) => reply.code(status).send())
    expect((await fetchRound1000([host])).result).toMatchObject({ failure: 'not-yet' })
    const { host: honest } = await relay(() => round1000)
    expect((await fetchRound1000([host, honest])).result).toEqual(round1000)
  })

  it('names the worst that hosts did: a lie before not yet, not yet before silence', async () => {
    const dead = await deadRelay()
    const { host: early } = await relay((reply) => reply.code(404).send())
    const { host: liar } = await relay(() => round1001)
    const early404 = await fetchRound1000([early, dead])
    expect(early404.result).toMatchObject({ failure: 'not-yet' })
    const withLiar = await fetchRound1000([dead, liar, early])
    expect(withLiar.result).toMatchObject({ failure: 'lies' })
    expect(withLiar.failures.map(({ failure }) => failure)).toEqual([
      'unreachable',
      'lies',
      'not-yet',
    ])
  })

  it('stops when it is told to, and asks no further host', async () => {
    const silent = await relay(() => new Promise(() => undefined))
    const next = await relay(() => round1000)
    const reason = new Error('shutting down')
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 50)
    const { result } = await fetchRound1000([silent.host, next.host], controller.signal)
    expect(result).toBe(reason)
    expect(next.asked).toEqual([])
    expect((await fetchRound1000([next.host], controller.signal)).result).toBe(reason)
    expect(next.asked).toEqual([])
  })

  it('needs a host and a round', async () => {
    expect(() => createDrandBeacon({ info: QUICKNET, hosts: [] })).toThrow(RangeError)
    const beacon = createDrandBeacon({ info: QUICKNET, hosts: ['http://127.0.0.1:1'] })
    for (const round of [0, -1, 1.5, Number.NaN]) {
      await expect(beacon.fetchRound(round, new AbortController().signal)).rejects.toThrow(
        RangeError,
      )
    }
  })
})
