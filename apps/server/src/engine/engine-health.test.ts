import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { readNeeds } from '#src/modules/console/figures/needs-store.ts'
import { addBettor, type DrivenGame, driveByHand } from '#testing/product/driven-game.ts'
import { engineParts, showOverdue } from './engine-health.ts'

const working = async ({ watched }: DrivenGame) => (await engineParts(watched)).engine

it('an engine is ready until a seal is 15 s late, and again when it was made', async () => {
  const game = await driveByHand()
  await game.driveAt(0)
  await game.clockAt(194)
  expect(await working(game)).toBe(true)
  await game.clockAt(196)
  expect(await working(game)).toBe(false)
  const registry = new Registry()
  showOverdue(registry, game.watched)
  expect(await registry.metrics()).toContain('sum28_round_overdue_seconds 16')
  await game.drive()
  expect(await working(game)).toBe(true)
  expect(await registry.metrics()).toContain('sum28_round_overdue_seconds 0')
})

it('an engine is not ready if a round that should be open is missing, unless the clocks disagree', async () => {
  const game = await driveByHand()
  await game.clockAt(14)
  expect(await working(game)).toBe(true)
  await game.clockAt(16)
  expect(await working(game)).toBe(false)
  // What stops it is another fault, of which staff are told.
  await game.database.owner.query('update games.house set clocks_apart_since = app.now()')
  expect(await working(game)).toBe(true)
})

it('an engine is not ready if the present round was held at another time', async () => {
  const game = await driveByHand()
  await game.driveAt(0)
  await game.clockAt(16)
  const schedule = { ...game.watched.schedule, roundMs: 300_000 }
  expect(await engineParts({ ...game.watched, schedule })).toMatchObject({ engine: false })
  expect(await working(game)).toBe(true)
})

it('an engine that waits for the beacon is ready until the void is 15 s late', async () => {
  const game = await driveByHand({ beaconDeadlineMs: 500_000 })
  game.host.mood = 'breaks off'
  for (const seconds of [0, 180, 210, 390, 420, 600, 630, 700]) await game.driveAt(seconds)
  await game.clockAt(724)
  expect(await working(game)).toBe(true)
  await game.clockAt(726)
  expect(await working(game)).toBe(false)
})

it('an engine that stores no value is not ready 75 s after the end if the beacon was seen to have it', async () => {
  const game = await driveByHand({ beaconDeadlineMs: 500_000 })
  game.host.mood = 'breaks off'
  for (const seconds of [0, 180, 210]) await game.driveAt(seconds)
  const seen = (before: number) =>
    game.database.owner.query(
      `update games.house set (beacon_seen, beacon_seen_chain) =
         (select beacon_round - $1, beacon_chain_hash from rounds.round where state = 'sealed')`,
      [before],
    )
  await seen(1)
  await game.clockAt(286)
  expect(await working(game)).toBe(true)
  await seen(0)
  expect(await working(game)).toBe(false)
  await game.clockAt(284)
  expect(await working(game)).toBe(true)
})

it.each([
  ['paid', true],
  ['paid back', false],
])(
  'an engine is not ready 15 s after the ten minutes in which a bet is to be %s, and staff are told',
  async (_, isSealed) => {
    const game = await driveByHand()
    const { owner } = game.database
    await game.driveAt(0)
    await addBettor(game.database)
    const late = async () =>
      (await readNeeds(game.database.db, ['draws_late'])).map(({ count }) => count)
    await owner.query('alter table ledger.posting add constraint no_more check (false) not valid')
    if (isSealed) await game.driveAt(180)
    for (const seconds of [210, 390, 420, 600, 630, 800]) {
      await expect(game.driveAt(seconds)).rejects.toThrow('violates check constraint')
    }
    await game.clockAt(810)
    expect(await late()).toEqual([])
    await game.clockAt(824)
    expect([await working(game), await late()]).toEqual([true, [1]])
    await game.clockAt(826)
    expect(await working(game)).toBe(false)
    await owner.query('alter table ledger.posting drop constraint no_more')
    await game.drive()
    expect([await working(game), await late()]).toEqual([true, []])
  },
)

it('an engine whose database is away is not ready', async () => {
  const game = await driveByHand()
  await game.database.takeAway()
  expect(await engineParts(game.watched)).toEqual({ engine: false, beacon_clock: false })
  await game.database.giveBack()
})
