/** Rounds during failures of the engine, its beacon or its clock; of its database: drive-games.test.ts. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer, cashOf } from '#testing/database/fixtures.ts'
import {
  addBettor,
  bet,
  type DrivenGame,
  digitsBy,
  driveByHand,
  OPENING,
  PAID,
  REFUNDED,
  type Row,
  roundRow,
  roundRows,
} from '#testing/product/driven-game.ts'
import { eventually } from '#testing/requests/patience.ts'

const SECOND = 1_000

/** The first round is open, and somebody has bet. */
async function openGame() {
  const game = await driveByHand()
  await game.driveAt(0)
  return { ...game, player: await addBettor(game.database) }
}

/** Expects every round to be drawn from its announced inputs, or voided; and only the present one open. */
async function expectAllDecided({ database, announcedDigits }: DrivenGame): Promise<void> {
  for (const row of await roundRows(database)) {
    if (row.state === 'open') continue
    expect(row.settled_at, `round ${row.issue}`).not.toBeNull()
    if (row.state === 'settled') {
      expect(row.digits).toEqual(digitsBy(row))
      expect(row.digits).toEqual(await announcedDigits(row))
      expect(row.void_reason).toBeNull()
      expect(Number(row.sealed_at)).toBeLessThan(Number(row.draws_at))
    } else {
      expect(row.state).toBe('voided')
      expect(row.seed).toBeNull()
    }
  }
  await expectAlwaysTrue(database.owner)
}

/** When a round ends, in seconds after the opening. */
const secondsOfEnd = (row: Row) => (Number(row.draws_at) - OPENING) / SECOND

describe('a clock', () => {
  it('that jumps forward voids the rounds it skipped and opens none; back, the next ones take the seeds in order', async () => {
    const game = await openGame()
    const clocksApart = (since: string) =>
      game.database.owner.query(`update games.house set clocks_apart_since = ${since}`)
    await clocksApart('app.now()')
    await game.driveAt(3_600)
    expect(await roundRows(game.database)).toMatchObject([
      { issue: 20261120001n, state: 'voided', void_reason: 'sealed_late' },
    ])

    // Back at the earlier time: the present round is voided already, and the next opens at its time.
    await clocksApart('null')
    await game.driveAt(10)
    expect(await bet(game.database, await addPlayer(game.database), '20261120001')).toBe(
      'round_sealed',
    )
    for (const seconds of [180, 209, 210, 250, 390, 420]) await game.driveAt(seconds)
    expect(await cashOf(game.database, game.player)).toBe(REFUNDED)

    // And the round that the jump led to opens when its time comes.
    for (const seconds of [3_600, 3_750, 3_780]) await game.driveAt(seconds)
    expect(
      (await roundRows(game.database)).map((row) => [row.issue, row.state, row.chain_index]),
    ).toEqual([
      [20261120001n, 'voided', 1],
      [20261120002n, 'settled', 2],
      [20261120003n, 'voided', 3],
      [20261120018n, 'settled', 4],
      [20261120019n, 'open', 5],
    ])
    await expectAllDecided(game)
  })

  it('that jumps at random, with a beacon that fails at random, leaves every round decided once', async () => {
    // Mostly at normal speed, so that rounds are drawn, and sometimes not.
    const jump = fc.oneof(
      { weight: 20, arbitrary: fc.integer({ min: 1, max: 29 }) },
      { weight: 1, arbitrary: fc.integer({ min: 30, max: 900 }) },
      { weight: 1, arbitrary: fc.integer({ min: -400, max: -1 }) },
    )
    const mood = fc.oneof(
      { weight: 10, arbitrary: fc.constant('tells' as const) },
      { weight: 2, arbitrary: fc.constantFrom('is late', 'lies', 'breaks off') },
    )
    const beaconAhead = fc.oneof(
      { weight: 10, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.constantFrom(-7, -100) },
    )
    // All in one game, each from an hour of its own.
    const game = await driveByHand()
    const players = [await addPlayer(game.database), await addPlayer(game.database)]
    let from = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ jump, mood, beaconAhead }), { minLength: 20, maxLength: 60 }),
        async (steps) => {
          let seconds = from
          for (const { jump, mood, beaconAhead } of steps) {
            seconds = Math.max(from, seconds + jump)
            game.host.mood = mood
            await game.clockAt(seconds, { beaconAhead })
            await game.drive()
            const running = `20261120${String(Math.floor(seconds / 210) + 1).padStart(3, '0')}`
            for (const player of players) await bet(game.database, player, running)
          }
          game.host.mood = 'tells'
          from = Math.max(from, ...(await roundRows(game.database)).map(secondsOfEnd)) + 1_050
          for (const later of [0, 1]) await game.driveAt(from + later)
          const rows = await roundRows(game.database)
          expect(rows.filter(({ state }) => state === 'open')).toHaveLength(1)
          const positions = rows.map(({ chain_index: index }) => Number(index))
          expect(positions.toSorted((a, b) => a - b)).toEqual(
            positions.map((_, index) => index + 1),
          )
          await expectAllDecided(game)
        },
      ),
      { numRuns: 4 },
    )
    const rows = await roundRows(game.database)
    expect(rows.some(({ state }) => state === 'settled')).toBe(true)
  })
})

it('a beacon whose hosts hang delays no seal and no opening', async () => {
  const game = await openGame()
  await game.driveAt(180)
  game.host.mood = 'hangs'
  const setting = { patienceMs: 500 }
  for (const seconds of [210, 390, 420, 600, 630]) await game.driveAt(seconds, { setting })
  const rows = await roundRows(game.database)
  expect(rows.map(({ state }) => state)).toEqual(['sealed', 'sealed', 'sealed', 'open'])
  for (const { sealed_at: closed, draws_at: ends } of rows.slice(0, 3)) {
    expect(Number(ends) - Number(closed)).toBe(30_000)
  }
  game.host.mood = 'tells'
  await game.driveAt(640)
  await eventually(async () => {
    await game.drive()
    const states = (await roundRows(game.database)).map(({ state }) => state)
    return states.includes('sealed') ? undefined : true
  })
  await expectAllDecided(game)
  expect((await roundRows(game.database)).map(({ state }) => state)).toEqual([
    'settled',
    'settled',
    'settled',
    'open',
  ])
})

it('two leaders at once together draw, settle and void each round once', async () => {
  const game = await openGame()
  const late = await addPlayer(game.database)
  for (const seconds of [180, 210, 215, 420, 600, 630, 631, 1_400, 1_401]) {
    await game.clockAt(seconds)
    await Promise.all([game.drive(), game.drive(), game.drive()])
    if (seconds === 215) expect(await bet(game.database, late, '20261120002')).toBeNull()
  }
  const rows = await roundRows(game.database)
  expect(rows.map(({ state, void_reason }) => [state, void_reason])).toEqual([
    ['settled', null],
    ['voided', 'sealed_late'],
    ['settled', null],
    ['voided', 'sealed_late'],
    ['open', null],
  ])
  expect(rows.map(({ chain_index }) => chain_index)).toEqual([1, 2, 3, 4, 5])
  expect(await cashOf(game.database, game.player)).toBe(PAID)
  expect(await cashOf(game.database, late)).toBe(REFUNDED)
  const logged = game.lines.map((line) => JSON.parse(line) as { msg: string; issue: string })
  for (const step of ['opened', 'sealed', 'drawn']) {
    const rounds = logged.filter(({ msg }) => msg === step).map(({ issue }) => issue)
    expect(new Set(rounds).size, step).toBe(rounds.length)
  }
  await expectAllDecided(game)
})

it('a round that fails does not prevent another from being opened, sealed and drawn', async () => {
  const game = await openGame()
  await game.driveAt(180)
  // Its chain's secret is damaged, as if the key were lost; the next rounds use another chain.
  const { owner } = game.database
  await owner.query('alter table fairness.chain disable trigger chain_guarded')
  await owner.query(
    `update fairness.chain set used = length, encrypted_secret = encrypted_secret || '\\x00'`,
  )
  await owner.query('alter table fairness.chain enable trigger chain_guarded')
  for (const seconds of [210, 390, 420]) await game.driveAt(seconds).catch(() => {})
  const rows = await roundRows(game.database)
  expect(rows.map(({ state }) => state)).toEqual(['sealed', 'settled', 'open'])
  // Its stakes come back; its seed cannot be published, and the public value is.
  for (const seconds of [810, 820]) await game.driveAt(seconds).catch(() => {})
  expect(await roundRow(game.database)).toMatchObject({ void_reason: 'beacon_late' })
  expect(await cashOf(game.database, game.player)).toBe(REFUNDED)
  expect(await owner.query('select from rounds.value where issue = 20261120001')).toHaveLength(1)
  await expectAlwaysTrue(owner)
})
