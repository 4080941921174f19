import { timeOfRound } from '@sum28/fairness/beacon.ts'
import { chainHashOf } from '@sum28/fairness/chain-hash.ts'
import Fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDrandBeacon } from './drand-beacon.ts'
import { createLocalBeacon, LOCAL_BEACON_ID } from './local-beacon.ts'
import { localBeaconRoutes } from './local-beacon-routes.ts'

const GENESIS = 1_790_000_000
const secret = new Uint8Array(32).fill(5)
/** The beacon on a real port, mounted as in the server, with a clock that the test sets. */
async function serveBeacon() {
  const clock = { at: (GENESIS + 30) * 1000 }
  const beacon = createLocalBeacon({ secret, genesisTime: GENESIS, now: () => clock.at })
  const app = Fastify()
  onTestFinished(() => app.close())
  const passed = { ms: 0 }
  const monotonicMs = () => passed.ms
  await app.register(localBeaconRoutes, { prefix: '/beacon', beacon, monotonicMs })
  const host = `${await app.listen({ port: 0, host: '127.0.0.1' })}/beacon`
  const get = async (path: string) => {
    const response = await fetch(`${host}/${beacon.info.chainHash}/${path}`)
    return { status: response.status, body: await response.json(), headers: response.headers }
  }
  return { clock, passed, beacon, host, get }
}

describe('the local beacon', () => {
  it('is the same beacon again from the same secret and genesis, and another from others', () => {
    const beaconOf = (genesisTime: number, of = secret) =>
      createLocalBeacon({ secret: of, genesisTime, now: () => GENESIS * 1000 }).info
    const info = beaconOf(GENESIS)
    expect(beaconOf(GENESIS)).toEqual(info)
    expect(beaconOf(GENESIS + 1).chainHash).not.toBe(info.chainHash)
    expect(beaconOf(GENESIS, new Uint8Array(32).fill(6)).publicKey).not.toBe(info.publicKey)
  })

  it('has no value a millisecond before its time, and has it from then on', () => {
    const clock = { at: 0 }
    const beacon = createLocalBeacon({ secret, genesisTime: GENESIS, now: () => clock.at })
    for (const round of [1, 2, 1000]) {
      clock.at = timeOfRound(beacon.info, round) - 1
      expect(beacon.releasedValue(round)).toBeNull()
      expect(beacon.latestRound()).toBe(round === 1 ? null : round - 1)
      clock.at += 1
      expect(beacon.releasedValue(round)?.round).toBe(round)
      expect(beacon.latestRound()).toBe(round)
      clock.at -= 1
      expect(beacon.releasedValue(round)).toBeNull()
    }
  })
})

describe('the local beacon over HTTP', () => {
  it("describes its chain in drand's form, with the hash that drand would compute", async () => {
    const { get, beacon } = await serveBeacon()
    const { status, body } = await get('info')
    expect(status).toBe(200)
    expect(body).toEqual({
      public_key: beacon.info.publicKey,
      period: 3,
      genesis_time: GENESIS,
      hash: beacon.info.chainHash,
      groupHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      schemeID: 'bls-unchained-g1-rfc9380',
      metadata: { beaconID: LOCAL_BEACON_ID },
    })
    const chain = { ...beacon.info, genesisSeed: beacon.genesisSeed, beaconId: LOCAL_BEACON_ID }
    expect(chainHashOf(chain)).toBe(beacon.info.chainHash)
  })

  it('is fetched and verified by the code that fetches drand', async () => {
    const { host, beacon, get } = await serveBeacon()
    const drand = createDrandBeacon({ info: beacon.info, hosts: [host], timeoutMs: 60_000 })
    const value = await drand.fetchRound(11, new AbortController().signal)
    expect(value.round).toBe(11)
    expect(value).toEqual((await get('public/11')).body)
    expect(value).toEqual((await get('public/latest')).body)
  })

  it('limits the signing of earlier rounds, and always has the latest ones', async () => {
    const { get, clock, passed, beacon } = await serveBeacon()
    clock.at = timeOfRound(beacon.info, 2_000)
    const statuses = async (...rounds: number[]) => {
      const all = []
      for (const round of rounds) all.push((await get(`public/${round}`)).status)
      return all
    }
    const TEN = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    const tenSigned = Array(10).fill(200)
    expect(await statuses(...TEN, 11, 12)).toEqual([...tenSigned, 429, 429])
    const refused = await get('public/12')
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.headers.get('cache-control')).toBe('no-store')
    // Signed rounds are cached, and the rounds that draws use always are.
    expect(await statuses(...TEN)).toEqual(tenSigned)
    expect(await statuses(1_980, 1_981, 2_000)).toEqual([429, 200, 200])
    // They stay cached when they are not the latest any more.
    clock.at = timeOfRound(beacon.info, 2_030)
    expect(await statuses(2_011, 2_030)).toEqual([200, 200])
    expect(await statuses(1_981, 2_000, 2_001)).toEqual([200, 200, 429])
    passed.ms += 1_000
    expect(await statuses(21, 22, 23)).toEqual([200, 200, 429])
    passed.ms += 3_600_000
    expect(await statuses(...TEN.map((each) => each + 30), 41)).toEqual([...tenSigned, 429])
  })

  it('forbids caching a missing round or the latest one, and has none before genesis and for what is no round', async () => {
    const { get, clock } = await serveBeacon()
    const cachedBy = ({ headers }: Awaited<ReturnType<typeof get>>) => headers.get('cache-control')
    const future = await get('public/12')
    expect([future.status, cachedBy(future)]).toEqual([404, 'no-store'])
    expect(JSON.stringify(future.body)).not.toMatch(/[0-9a-f]{64}/)
    expect(cachedBy(await get('public/latest'))).toBe('no-store')
    expect(cachedBy(await get('public/11'))).toContain('immutable')
    for (const round of ['0', '-1', '1.5', '01', 'x', '1e3', '9007199254740991'])
      expect((await get(`public/${round}`)).status, round).toBe(400)
    clock.at = GENESIS * 1000 - 1
    expect((await get('public/latest')).status).toBe(404)
    expect((await get('public/1')).status).toBe(404)
  })

  it('answers for no other chain', async () => {
    const { host } = await serveBeacon()
    for (const path of ['info', 'public/1', 'public/latest']) {
      expect((await fetch(`${host}/${'00'.repeat(32)}/${path}`)).status).toBe(404)
    }
  })
})
