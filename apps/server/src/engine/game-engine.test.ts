/** The life of a round in a game that is driven by hand. */
import type { PublishedRoundOnWire } from '@sum28/contract/receipt.ts'
import { hashSeed } from '@sum28/fairness/seed-chain.ts'
import { verifyRound } from '@sum28/fairness/verify-round.ts'
import { describe, expect, it } from 'vitest'
import { readBookRow } from '#src/modules/bets/book-path.ts'
import { publishedRound, publishedRoundByIssue } from '#src/modules/rounds/published-round.ts'
import { secretCipher } from '#src/secrets/secret-cipher.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { cashOf } from '#testing/database/fixtures.ts'
import {
  addBettor,
  KEY as DRIVEN_KEY,
  digitsBy,
  driveByHand,
  OPENING,
  PAID,
  REFUNDED,
  roundRow,
} from '#testing/product/driven-game.ts'

const KEY = 'another secret key of at least thirty-two characters'
const SECOND = 1_000

describe('a round', () => {
  it('is announced, booked, sealed, drawn and settled, each at its time, and the next opens', async () => {
    const { driveAt, database, host } = await driveByHand()
    expect(await driveAt(0)).toBeLessThanOrEqual(SECOND)
    const opened = await roundRow(database)
    expect(opened).toMatchObject({
      state: 'open',
      chain_index: 1,
      seed: null,
      beacon_kind: 'local',
      beacon_chain_hash: host.source.info.chainHash,
      beacon_public_key: host.source.info.publicKey,
      beacon_genesis: BigInt(OPENING / SECOND - 3_600),
      beacon_period: 3,
      // The first beacon round at or after the end: genesis was 3,600 s before, and one comes every 3 s.
      beacon_round: BigInt((3_600 + 210) / 3 + 1),
    })
    const player = await addBettor(database)
    const bookSize = async () =>
      (await readBookRow(database.db, { gameId: 1, issue: '20261120001' }))?.size
    await driveAt(100)
    expect(await bookSize()).toBe(1)
    await addBettor(database)
    expect(await bookSize()).toBe(1)
    expect(await driveAt(179.999)).toBe(1)
    expect(await roundRow(database)).toMatchObject({ state: 'open', book_root: null })
    await driveAt(180)
    expect(await roundRow(database)).toMatchObject({ state: 'sealed', book_size: 2 })
    expect(await driveAt(209.999)).toBe(1)
    expect(await roundRow(database)).toMatchObject({ state: 'sealed', seed: null })
    await driveAt(210)
    const row = await roundRow(database)
    expect(row).toMatchObject({ state: 'settled', settled_at: OPENING + 210 * SECOND })
    expect(row.digits).toEqual(digitsBy(row))
    expect(row.randomness).toBe(host.source.releasedValue(Number(row.beacon_round))?.randomness)
    expect(hashSeed(String(row.seed), 1)).toBe(row.commitment)
    // 200 staked, and 100 on the half that hit paid 192.
    expect(await cashOf(database, player)).toBe(PAID)
    expect(await roundRow(database, '20261120002')).toMatchObject({ state: 'open', chain_index: 2 })
    await expectAlwaysTrue(database.owner)
  })

  it('does not open after its seal time, or outside opening hours', async () => {
    const { driveAt, database } = await driveByHand()
    for (const seconds of [-1, 180, 209, 16 * 3_600 - 60, 16 * 3_600]) await driveAt(seconds)
    expect(await database.owner.query('select from rounds.round')).toEqual([])
    await driveAt(210)
    expect(await roundRow(database, '20261120002')).toMatchObject({ state: 'open', chain_index: 1 })
  })

  it('does not advance after the engine was stopped', async () => {
    const { driveAt, database } = await driveByHand()
    await driveAt(0)
    await driveAt(180, { aborted: true })
    expect(await roundRow(database)).toMatchObject({ state: 'open' })
  })
})

describe('a beacon', () => {
  it('that is late is awaited until the deadline, and decides the same digits, while other rounds open', async () => {
    const { driveAt, database, host, announcedDigits } = await driveByHand()
    await driveAt(0)
    const player = await addBettor(database)
    host.mood = 'is late'
    await driveAt(180)
    for (const seconds of [210, 400]) expect(await driveAt(seconds)).toBeLessThanOrEqual(250)
    expect(await roundRow(database)).toMatchObject({ state: 'sealed', seed: null })
    const digits = await announcedDigits(await roundRow(database))
    host.mood = 'tells'
    await driveAt(809.999)
    expect(await roundRow(database)).toMatchObject({ state: 'settled', digits })
    expect(await cashOf(database, player)).toBe(PAID)
    expect(await roundRow(database, '20261120002')).toMatchObject({ chain_index: 2 })
    await expectAlwaysTrue(database.owner)
  })

  it.each([
    ['lies', 'lies', 60_000],
    ['is late', 'not-yet', 6_000_000],
    ['breaks off', 'unreachable', 600_000],
  ] as const)(
    'that %s until the deadline that its round announced has it voided, and every stake returned, once',
    async (mood, failure, settingSince) => {
      const { driveAt, database, host } = await driveByHand()
      await driveAt(0)
      const player = await addBettor(database)
      host.mood = mood
      // Whatever the setting was made since, the round keeps its own deadline.
      const setting = { beaconDeadlineMs: settingSince }
      for (const seconds of [180, 210, 280, 809.999]) await driveAt(seconds, { setting })
      expect(await roundRow(database)).toMatchObject({ state: 'sealed', seed: null })
      expect(new Set(host.failures)).toEqual(new Set([failure]))
      await driveAt(810, { setting })
      host.mood = 'tells'
      await driveAt(811)
      expect(await roundRow(database)).toMatchObject({
        state: 'voided',
        void_reason: 'beacon_late',
        seed: null,
        settled_at: OPENING + 810 * SECOND,
      })
      expect(await cashOf(database, player)).toBe(REFUNDED)
      await expectAlwaysTrue(database.owner)
    },
  )
})

describe('a voided round', () => {
  it('publishes its seed, and after the beacon’s value also the digits that would have been drawn', async () => {
    const { driveAt, database, host, seedOf, announcedDigits } = await driveByHand()
    await driveAt(0)
    await driveAt(180)
    host.mood = 'is late'
    await driveAt(210)
    const published = async () => {
      const row = await publishedRoundByIssue(database.db, { gameId: 1, issue: '20261120001' })
      return row && publishedRound(row)
    }
    expect(await published()).toMatchObject({ status: 'sealed', seed: null, void: null })
    for (const seconds of [810, 811]) await driveAt(seconds)
    const seed = await seedOf(Number((await roundRow(database)).chain_id), 1)
    expect(await published()).toMatchObject({
      status: 'voided',
      seed,
      digits: null,
      beacon: { signature: null, randomness: null },
      void: { reason: 'beacon_late', voided_at: OPENING / SECOND + 810, digits: null },
    })
    host.mood = 'tells'
    await driveAt(830)
    const announced = await announcedDigits(await roundRow(database))
    const shown = await published()
    expect(shown).toMatchObject({ digits: null, void: { digits: announced } })
    const steps = verifyRound({ round: shown as PublishedRoundOnWire })
    expect(steps.filter(({ ok }) => ok !== true)).toEqual([])
    expect(steps.map(({ name }) => name)).toContain('void')
    await expectAlwaysTrue(database.owner)
  })

  it('publishes nothing if its key is missing, and delays no other', async () => {
    const { driveAt, database } = await driveByHand()
    await driveAt(0)
    await expect(driveAt(210, { key: KEY })).rejects.toThrow(/encrypted with key/)
    expect(await roundRow(database)).toMatchObject({ state: 'voided', void_reason: 'sealed_late' })
    expect(await database.owner.query('select from rounds.voided_seed')).toEqual([])
    await driveAt(225)
    expect(await database.owner.query('select from rounds.voided_seed')).toHaveLength(1)
  })
})

it('a round whose seed cannot be opened until its deadline is voided, its stakes are returned, and its key publishes it', async () => {
  const { driveAt, database } = await driveByHand()
  await driveAt(0)
  const player = await addBettor(database)
  await driveAt(180)
  const wrong = { key: KEY }
  for (const seconds of [210, 809.999]) {
    await expect(driveAt(seconds, wrong)).rejects.toThrow(/encrypted with key/)
  }
  expect(await roundRow(database)).toMatchObject({ state: 'sealed' })
  expect(await database.owner.query('select from rounds.value')).toEqual([])
  await driveAt(810, wrong)
  expect(await roundRow(database)).toMatchObject({
    state: 'voided',
    void_reason: 'beacon_late',
    settled_at: OPENING + 810 * SECOND,
  })
  expect(await cashOf(database, player)).toBe(REFUNDED)
  await driveAt(825)
  expect(await database.owner.query('select from rounds.voided_seed')).toHaveLength(1)
  await expectAlwaysTrue(database.owner)
})

it('a round whose value was stored is never voided: an engine without its seed leaves the draw to the right key', async () => {
  const game = await driveByHand()
  const { driveAt, database } = game
  await driveAt(0)
  await driveAt(180)
  await database.owner.query(
    'alter table rounds.draw add constraint refused check (false) not valid',
  )
  await expect(driveAt(210)).rejects.toThrow('refused')
  await database.owner.query('alter table rounds.draw drop constraint refused')
  await expect(driveAt(811, { key: KEY })).rejects.toThrow(/encrypted with key/)
  expect(await roundRow(database)).toMatchObject({ state: 'sealed', void_reason: null })
  const announced = await game.announcedDigits(await roundRow(database))
  await driveAt(812)
  expect(await roundRow(database)).toMatchObject({ state: 'settled', digits: announced })
})

it('a round is opened only if its seed can be had: a chain whose secret is another’s takes no stake', async () => {
  const { driveAt, database } = await driveByHand()
  const { owner } = database
  await owner.query(
    `insert into fairness.chain (game_id, length, commitment, encrypted_secret, key_id)
     values (1, 100, sha256('x'), 'x', $1)`,
    [secretCipher(DRIVEN_KEY).keyId],
  )
  await expect(driveAt(0)).rejects.toThrow()
  expect(await owner.query('select from rounds.round')).toEqual([])
  // As an owner ends it.
  await owner.query('update fairness.chain set used = length')
  await driveAt(1)
  expect(await roundRow(database)).toMatchObject({ state: 'open', chain_index: 1 })
})

it('a round that announced another beacon than the configured one is logged once a minute, and drawn by its own', async () => {
  const { driveAt, database, host, lines } = await driveByHand()
  await driveAt(0)
  await driveAt(180)
  // It has a value for the round, which decides nothing.
  const { info, fetchRound } = host.beacon
  const named = (chainHash: string) => ({ beacon: { info: { ...info, chainHash }, fetchRound } })
  for (const seconds of [210, 210.25, 269.9, 270]) await driveAt(seconds, named('another'))
  // A change is logged at once.
  await driveAt(271, named('a third'))
  const warnings = lines.filter((line) => line.includes('announced another beacon'))
  expect(warnings).toHaveLength(3)
  expect(JSON.parse(warnings[0] ?? '')).toMatchObject({
    issue: '20261120001',
    announced: info.chainHash,
    configured: 'another',
  })
  expect(await roundRow(database)).toMatchObject({ state: 'sealed', seed: null })
  await driveAt(272)
  expect(await roundRow(database)).toMatchObject({ state: 'settled' })
})
