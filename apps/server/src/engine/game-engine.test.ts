/** One game driven by hand, on a clock that the test moves, with a beacon served over HTTP. */
import { drawDigits } from '@sum28/fairness/draw-digits.ts'
import { verifySeed } from '@sum28/fairness/seed-chain.ts'
import { describe, expect, it } from 'vitest'
import { sealer } from '#src/modules/fairness/seal-secret.ts'
import { seedKeeper } from '#src/modules/fairness/seeds.ts'
import { expectAlwaysTrue } from '#testing/always-true.ts'
import { startBeaconHost } from '#testing/beacon-host.ts'
import { captureLog } from '#testing/captured-log.ts'
import { addPlayer, cashOf, orderFor, placeAll } from '#testing/fixtures.ts'
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts'
import { driveGame } from './game-engine.ts'

/** 10:00 in Singapore: the first round of the game day opens. */
const OPENING = Date.UTC(2026, 10, 20, 2)
const ISSUE = '20261120001'
const KEY = 'a secret key of at least thirty-two characters'
const SECOND = 1_000

async function createGame({ beaconDeadlineMs = 600_000 } = {}) {
  const database = await createTestDatabase()
  let moment = OPENING
  const now = () => moment
  const host = await startBeaconHost({ genesisTime: OPENING / SECOND - 3_600, now })
  const { log, lines } = captureLog()
  const seedsFor = (key: string) =>
    seedKeeper({ db: database.db, sealer: sealer(key), length: 100, roundsADay: 10 })
  const schedule = {
    timeZone: 'Asia/Singapore',
    opensMinute: 600,
    closesMinute: 1_560,
    roundMs: 210 * SECOND,
    sealMs: 30 * SECOND,
  }
  const deps = { db: database.db, schedule, beacon: host.beacon, beaconDeadlineMs, now, log }
  return {
    database,
    host,
    lines,
    /** Moves the clock to so many seconds after the opening and does what is due. */
    async driveAt(seconds: number, { key = KEY, aborted = false } = {}) {
      moment = OPENING + seconds * SECOND
      await database.freezeClock(moment)
      const signal = aborted ? AbortSignal.abort() : new AbortController().signal
      return driveGame({ ...deps, seeds: seedsFor(key) }, 1, signal)
    },
    seedOf: (chainId: number, index: number) => seedsFor(KEY).seedOf(chainId, index),
  }
}

type Row = Record<string, unknown>

async function roundRow({ owner }: TestDatabase, issue = ISSUE): Promise<Row> {
  const [row] = await owner.query<Row>(
    `select round.*, array[digit_1, digit_2, digit_3] as digits, encode(draw.seed, 'hex') as seed,
       encode(randomness, 'hex') as randomness, encode(commitment, 'hex') as commitment
     from rounds.round left join rounds.draw using (game_id, issue)
     join fairness.chain on chain.id = chain_id where round.issue = $1`,
    [issue],
  )
  return row ?? {}
}

/** A player with 1,000 u who bets 100 on long and 100 on short in the first round. */
async function addBettor(database: TestDatabase): Promise<number> {
  const player = await addPlayer(database)
  const round = { gameId: 1, issue: ISSUE, opensAt: 0, sealsAt: 0, drawsAt: 0 }
  expect(await placeAll(database, [orderFor(player, round, { ruleIds: [1, 2] })])).toEqual([null])
  return player
}

const U = 1_000_000n

/** The digits that anybody computes from what is published, with the fairness package. */
function digitsBy(row: Row): readonly number[] {
  return drawDigits({
    gameId: 1,
    issue: ISSUE,
    seed: String(row.seed),
    randomness: String(row.randomness),
  })
}

describe('a round', () => {
  it('announces its seed’s place and its beacon round as it opens', async () => {
    const { driveAt, database, host } = await createGame()
    expect(await driveAt(0)).toBeLessThanOrEqual(SECOND)
    const row = await roundRow(database)
    expect(row).toMatchObject({ state: 'open', chain_index: 1, beacon_kind: 'local', seed: null })
    // The first beacon round at or after the end: genesis was 3,600 s before, and one comes every 3 s.
    expect(row.beacon_round).toBe(BigInt((3_600 + 210) / 3 + 1))
    expect(row.beacon_chain_hash).toBe(host.source.info.chainHash)
  })

  it('is sealed, booked, drawn and settled, each at its time, and the next opens', async () => {
    const { driveAt, database, host } = await createGame()
    await driveAt(0)
    const player = await addBettor(database)
    expect(await driveAt(179.999)).toBe(1)
    expect(await roundRow(database)).toMatchObject({ state: 'open', book_root: null })
    await driveAt(180)
    expect(await roundRow(database)).toMatchObject({ state: 'sealed', book_size: 1 })
    expect(await driveAt(209.999)).toBe(1)
    expect(await roundRow(database)).toMatchObject({ state: 'sealed', seed: null })
    await driveAt(210)
    const row = await roundRow(database)
    expect(row).toMatchObject({ state: 'settled', settled_at: OPENING + 210 * SECOND })
    expect(row.digits).toEqual(digitsBy(row))
    expect(row.randomness).toBe(host.source.releasedValue(Number(row.beacon_round))?.randomness)
    expect(
      verifySeed({ revealed: String(row.seed), known: String(row.commitment), distance: 1 }),
    ).toBe(true)
    // 200 staked, and 100 on the half that hit paid 192.
    expect(await cashOf(database, player)).toBe(992n * U)
    expect(await roundRow(database, '20261120002')).toMatchObject({ state: 'open', chain_index: 2 })
    await expectAlwaysTrue(database.owner)
  })

  it('is done once, however often the engine comes by', async () => {
    const { driveAt, database } = await createGame()
    for (const seconds of [0, 0, 180, 180, 210, 210, 211]) await driveAt(seconds)
    expect(await roundRow(database, '20261120002')).toMatchObject({ chain_index: 2 })
    const rows = await database.owner.query('select from rounds.draw')
    expect(rows).toHaveLength(1)
  })

  it('does not open once it would be sealed, or before and after the hours', async () => {
    const { driveAt, database } = await createGame()
    for (const seconds of [-1, 180, 209, 16 * 3_600 - 60, 16 * 3_600]) await driveAt(seconds)
    expect(await database.owner.query('select from rounds.round')).toEqual([])
    await driveAt(210)
    expect(await roundRow(database, '20261120002')).toMatchObject({ state: 'open', chain_index: 1 })
  })

  it('goes no further once the engine is told to stop', async () => {
    const { driveAt, database } = await createGame()
    await driveAt(0)
    await driveAt(180, { aborted: true })
    expect(await roundRow(database)).toMatchObject({ state: 'open' })
  })
})

describe('a beacon', () => {
  it('that is late is waited for, and decides the same digits', async () => {
    const { driveAt, database, host } = await createGame()
    await driveAt(0)
    const player = await addBettor(database)
    host.mood = 'is late'
    await driveAt(180)
    for (const seconds of [210, 400, 809]) expect(await driveAt(seconds)).toBeLessThanOrEqual(250)
    expect(await roundRow(database)).toMatchObject({ state: 'sealed', seed: null })
    expect(host.failures).toContain('not-yet')
    host.mood = 'tells'
    await driveAt(809.5)
    const row = await roundRow(database)
    expect(row.state).toBe('settled')
    expect(row.digits).toEqual(digitsBy(row))
    expect(row.randomness).toBe(host.source.releasedValue(Number(row.beacon_round))?.randomness)
    expect(await cashOf(database, player)).toBe(992n * U)
    // The rounds that ran meanwhile were opened all the same.
    expect(await roundRow(database, '20261120002')).toMatchObject({ chain_index: 2 })
    await expectAlwaysTrue(database.owner)
  })

  it.each(['lies', 'is late'] as const)(
    'that %s until the deadline has its round voided, and every stake returned, once',
    async (mood) => {
      const { driveAt, database, host } = await createGame()
      await driveAt(0)
      const player = await addBettor(database)
      host.mood = mood
      for (const seconds of [180, 210, 500, 809.999]) await driveAt(seconds)
      expect(await roundRow(database)).toMatchObject({ state: 'sealed', seed: null })
      expect(await cashOf(database, player)).toBe(800n * U)
      expect(new Set(host.failures)).toEqual(new Set([mood === 'lies' ? 'lies' : 'not-yet']))
      await driveAt(810)
      expect(await roundRow(database)).toMatchObject({
        state: 'voided',
        void_reason: 'beacon_late',
        seed: null,
        settled_at: OPENING + 810 * SECOND,
      })
      expect(await cashOf(database, player)).toBe(1_000n * U)
      host.mood = 'tells'
      await driveAt(811)
      expect(await roundRow(database)).toMatchObject({ state: 'voided', seed: null })
      expect(await cashOf(database, player)).toBe(1_000n * U)
      await expectAlwaysTrue(database.owner)
    },
  )
})

describe('a secret key that is not the one the seeds were sealed with', () => {
  it('draws nothing, leaves the round to the right key, and else to the deadline', async () => {
    const { driveAt, database } = await createGame()
    await driveAt(0)
    const wrong = { key: `another ${KEY}` }
    await driveAt(180, wrong)
    await expect(driveAt(210, wrong)).rejects.toThrow(/sealed with key/)
    expect(await roundRow(database)).toMatchObject({ state: 'sealed', seed: null })
    await driveAt(211)
    expect(await roundRow(database)).toMatchObject({ state: 'settled' })
  })
})

describe('a seed', () => {
  it('is in no line of the log before its draw', async () => {
    const { driveAt, database, seedOf, lines, host } = await createGame()
    await driveAt(0)
    await driveAt(180)
    host.mood = 'is late'
    await driveAt(210)
    await expect(
      driveAt(215, { key: 'a key that fails the draw of the round' }),
    ).resolves.toBeDefined()
    const { chain_id: chainId } = await roundRow(database)
    const before = lines.join('')
    expect(before).toContain('"sealed"')
    for (let index = 1; index <= 100; index += 1) {
      const seed = await seedOf(Number(chainId), index)
      expect(before).not.toContain(seed)
      expect(before).not.toContain(Buffer.from(seed, 'hex').toString('base64').slice(0, 40))
    }
  })
})
