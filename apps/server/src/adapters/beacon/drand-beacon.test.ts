import { QUICKNET } from '@sum28/fairness/quicknet.ts'
import quicknet from '@sum28/fairness/testing/vectors/drand-quicknet.json' with { type: 'json' }
import Fastify, { type FastifyReply } from 'fastify'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { holdTime } from '#testing/requests/held-time.ts'
import { eventually } from '#testing/requests/patience.ts'
import { BeaconError, type HostFailure } from './beacon.ts'
import { backOff, createDrandBeacon } from './drand-beacon.ts'

/** A real value of quicknet. */
function trueRound(round: number) {
  const value = quicknet.rounds.find((each) => each.round === round)
  if (!value) throw new Error(`round ${round} is not recorded`)
  return value
}

const [round1000, round1001] = [trueRound(1000), trueRound(1001)]

/** Longer than a busy machine takes for an answer and its signature: what it bounds never happens in a test. */
const NEVER_MS = 3_600_000
const FOR_EVER = { firstMs: NEVER_MS, maxMs: NEVER_MS }

/** A relay on a real port that returns a fixed answer to every request. */
async function relay(answer: (reply: FastifyReply) => unknown) {
  const requests: string[] = []
  const app = Fastify({ forceCloseConnections: true })
  onTestFinished(() => app.close())
  app.get('/*', async (request, reply) => {
    requests.push(request.url)
    return answer(reply)
  })
  const host = await app.listen({ port: 0, host: '127.0.0.1' })
  return { host, requests }
}

/** The addresses of relays that do not run: no program listens on these ports. */
const DEAD_RELAYS = ['http://127.0.0.1:2', 'http://127.0.0.1:3'] as const

type Settings = Parameters<typeof createDrandBeacon>[0]

/** A beacon of these hosts, which waits for each for ever if the settings do not say otherwise. */
function beaconOf(hosts: string[], settings: Partial<Settings> = {}) {
  const patience = { timeoutMs: NEVER_MS, hedgeMs: NEVER_MS }
  return createDrandBeacon({ info: QUICKNET, hosts, ...patience, ...settings })
}

async function fetchRound1000(
  hosts: string[],
  {
    signal = new AbortController().signal,
    ...settings
  }: Partial<Settings> & { signal?: AbortSignal } = {},
) {
  const failures: HostFailure[] = []
  const onHostFailure = (failure: HostFailure) => void failures.push(failure)
  const beacon = beaconOf(hosts, { onHostFailure, ...settings })
  const result = await beacon.fetchRound(1000, signal).catch((error: unknown) => error)
  return { result, failures }
}

describe('fetching a round', () => {
  it("returns quicknet's true value, asks at drand's address and then no other host", async () => {
    const { round, signature } = round1000
    // What a host leaves out is computed, and what else it says is dropped.
    const one = await relay(() => ({ round, signature, previous_signature: 'ab' }))
    const two = await relay(() => round1000)
    const { result, failures } = await fetchRound1000([`${one.host}/`, two.host])
    expect(result).toEqual(round1000)
    expect(failures).toEqual([])
    expect(one.requests).toEqual([`/${QUICKNET.chainHash}/public/1000`])
    expect(two.requests).toEqual([])
    expect((await fetchRound1000([two.host])).result).toEqual(round1000)
  })

  it.each([
    ['a forged signature', { ...round1000, signature: `9${round1000.signature.slice(1)}` }],
    ["another round's signature", { ...round1000, signature: round1001.signature }],
    ['another round, true in itself', round1001],
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
    ['sends null', (reply) => reply.type('application/json').send('null')],
    ['sends a round as text', () => ({ ...round1000, round: '1000' })],
    ['sends without end', () => ({ ...round1000, padding: 'x'.repeat(5_000_000) })],
    ['is silent', () => new Promise(() => undefined)],
  ])('takes the next host when one %s', async (what, answer) => {
    const { host: broken } = await relay(answer)
    const { host: honest } = await relay(() => round1000)
    // Only of one that is silent the next host is asked without its answer.
    const more = what === 'is silent' ? { hedgeMs: 50 } : {}
    const { result, failures } = await fetchRound1000([broken, honest], more)
    expect(result).toEqual(round1000)
    expect(failures).toMatchObject([{ host: broken, failure: 'unreachable' }])
  })

  it('follows no redirect, not even to an address that has the value', async () => {
    const { host: elsewhere, requests } = await relay(() => round1000)
    const { host } = await relay((reply) => reply.redirect(`${elsewhere}/inside`))
    expect((await fetchRound1000([host])).result).toMatchObject({ failure: 'unreachable' })
    expect(requests).toEqual([])
  })

  it('asks the next host if one is down or has no value yet; else the worst of all decides', async () => {
    const [dead, gone] = DEAD_RELAYS
    const { host: honest } = await relay(() => round1000)
    const { host: liar } = await relay(() => round1001)
    const { host: early } = await relay((reply) => reply.code(404).send())
    const { host: tooEarly } = await relay((reply) => reply.code(425).send())
    for (const other of [dead, early, tooEarly])
      expect((await fetchRound1000([other, honest])).result).toEqual(round1000)
    expect((await fetchRound1000([dead, gone])).result).toMatchObject({
      failure: 'unreachable',
      hosts: [dead, gone].map((host) => ({ host, detail: 'ECONNREFUSED' })),
    })
    for (const hosts of [[tooEarly], [early, dead]])
      expect((await fetchRound1000(hosts)).result).toMatchObject({ failure: 'not-yet' })
    const { result, failures } = await fetchRound1000([dead, liar, early])
    expect(result).toMatchObject({ failure: 'lies' })
    expect(failures.map(({ failure }) => failure)).toEqual(['unreachable', 'lies', 'not-yet'])
  })

  it('stops when it is cancelled, and asks no other host', async () => {
    const silent = await relay(() => new Promise(() => undefined))
    const next = await relay(() => round1000)
    const reason = new Error('shutting down')
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 50)
    const { signal } = controller
    const { result } = await fetchRound1000([silent.host, next.host], { signal })
    expect(result).toBe(reason)
    expect(next.requests).toEqual([])
    expect((await fetchRound1000([next.host], { signal })).result).toBe(reason)
    expect(next.requests).toEqual([])
  })
})

describe('a host that is silent', () => {
  it('may still be the first to return the value', async () => {
    const { host: slow } = await relay(
      () => new Promise((answer) => setTimeout(answer, 300, round1000)),
    )
    const { host: silent } = await relay(() => new Promise(() => undefined))
    const { result, failures } = await fetchRound1000([slow, silent], { hedgeMs: 50 })
    expect(result).toEqual(round1000)
    // A host that was asked later had less time, and is not blamed.
    expect(failures).toEqual([])
  })

  it('is not waited for after another was faster', async () => {
    const silent = await relay(() => new Promise(() => undefined))
    const honest = await relay(({ request }) => trueRound(Number(request.url.split('/').at(-1))))
    const beacon = beaconOf([silent.host, honest.host], { hedgeMs: 100, rest: FOR_EVER })
    for (const round of [1000, 1001, 1002]) {
      await beacon.fetchRound(round, new AbortController().signal)
    }
    expect(silent.requests).toHaveLength(1)
    expect(honest.requests).toHaveLength(3)
  })
})

describe('a host that failed', () => {
  it.each<[string, (reply: FastifyReply) => unknown, string]>([
    ['lied', () => round1001, 'lies'],
    ['was at fault', (reply) => reply.code(500).send(), 'unreachable'],
  ])('since it %s is not asked again at once', async (_, answer, failure) => {
    const { host, requests } = await relay(answer)
    const beacon = beaconOf([host], { rest: FOR_EVER })
    for (const _again of [1, 2]) {
      await expect(beacon.fetchRound(1000, new AbortController().signal)).rejects.toMatchObject({
        failure,
        hosts: [{ host, failure }],
      })
    }
    expect(requests).toHaveLength(1)
  })

  it('eight times since the round is not there is asked again within four seconds', async () => {
    holdTime('performance')
    let faults = 0
    const { host } = await relay((reply) => {
      faults += 1
      return faults > 8 ? round1000 : reply.code(500).send('Failed to get beacon')
    })
    const beacon = beaconOf([host])
    const { signal } = new AbortController()
    const ask = () => beacon.fetchRound(1000, signal).catch(() => null)
    while (faults < 8) {
      await ask()
      vi.advanceTimersByTime(250)
    }
    vi.advanceTimersByTime(4_000)
    expect(await ask()).toEqual(round1000)
  })

  it('that does not have this round yet is still asked for another', async () => {
    const { host, requests } = await relay((reply) =>
      reply.request.url.endsWith('/1000') ? round1000 : reply.code(404).send(),
    )
    const beacon = beaconOf([host], { notYetRest: FOR_EVER })
    const { signal } = new AbortController()
    await expect(beacon.fetchRound(1001, signal)).rejects.toMatchObject({ failure: 'not-yet' })
    await expect(beacon.fetchRound(1001, signal)).rejects.toMatchObject({ failure: 'not-yet' })
    await expect(beacon.fetchRound(1000, signal)).resolves.toEqual(round1000)
    expect(requests).toHaveLength(2)
  })
})

describe('several callers', () => {
  it('for one round share one request, and later callers get its answer', async () => {
    const { host, requests } = await relay(
      () => new Promise((answer) => setTimeout(answer, 50, round1000)),
    )
    const beacon = beaconOf([host])
    const ask = () => beacon.fetchRound(1000, new AbortController().signal)
    expect(await Promise.all([ask(), ask(), ask(), ask()])).toEqual(Array(4).fill(round1000))
    expect(await ask()).toEqual(round1000)
    expect(requests).toHaveLength(1)
  })

  it('keep the request if one of them cancels, and cancel it if all do', async () => {
    let open = 0
    // The answer comes when the test says so, and only to the request for the first round.
    const answer = Promise.withResolvers<typeof round1000>()
    const { host } = await relay((reply) => {
      open += 1
      reply.raw.on('close', () => {
        open -= 1
      })
      return reply.request.url.endsWith('/1000') ? answer.promise : new Promise(() => undefined)
    })
    const isOpen = (count: number) => eventually(() => open === count)
    const beacon = beaconOf([host])
    const [first, second] = [new AbortController(), new AbortController()]
    const answers = [beacon.fetchRound(1000, first.signal), beacon.fetchRound(1000, second.signal)]
    await isOpen(1)
    first.abort(new Error('gone'))
    await expect(answers[0]).rejects.toThrow('gone')
    answer.resolve(round1000)
    await expect(answers[1]).resolves.toEqual(round1000)
    await isOpen(0)

    const third = new AbortController()
    const left = beacon.fetchRound(1001, third.signal)
    await isOpen(1)
    third.abort(new Error('gone too'))
    await expect(left).rejects.toThrow('gone too')
    await isOpen(0)
  })
})

describe('a back-off', () => {
  function onClock() {
    const clock = { at: 1_000 }
    return { clock, pauses: backOff({ firstMs: 100, maxMs: 1_000, now: () => clock.at }) }
  }

  it('doubles the pause with each failure in a row, up to the maximum', () => {
    const { pauses, clock } = onClock()
    expect(pauses.pauseMs('a')).toBe(0)
    for (const rest of [100, 200, 400, 800, 1_000, 1_000]) {
      pauses.failed('a')
      expect(pauses.pauseMs('a')).toBe(rest)
      clock.at += rest - 1
      expect(pauses.pauseMs('a')).toBe(1)
      clock.at += 1
      expect(pauses.pauseMs('a')).toBe(0)
    }
  })

  it('resets after a success, counts each name separately, and keeps a bounded number of names', () => {
    const { pauses } = onClock()
    for (const name of ['a', 'a', 'b']) pauses.failed(name)
    expect([pauses.pauseMs('a'), pauses.pauseMs('b')]).toEqual([200, 100])
    pauses.succeeded('a')
    expect([pauses.pauseMs('a'), pauses.pauseMs('b')]).toEqual([0, 100])
    pauses.failed('a')
    expect(pauses.pauseMs('a')).toBe(100)
    for (let name = 0; name <= 1_000; name += 1) pauses.failed(String(name))
    expect(['0', '1', '1000'].map(pauses.pauseMs)).toEqual([0, 100, 100])
  })
})
