/** The comparison of the database's clock with the beacon's, and the resulting stop. */

import { timeOfRound } from '@sum28/fairness/beacon.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import { BeaconError } from '#src/adapters/beacon/beacon.ts'
import { createDrandBeacon } from '#src/adapters/beacon/drand-beacon.ts'
import { readNeeds } from '#src/modules/console/figures/needs-store.ts'
import { areClocksApart } from '#src/modules/games/catalog.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { startBeaconHost } from '#testing/hosts/beacon-host.ts'
import { staffToken } from '#testing/people/staff.ts'
import {
  addBettor,
  bet,
  type DrivenGame,
  driveByHand,
  OPENING,
} from '#testing/product/driven-game.ts'
import { eventually, machineWait } from '#testing/requests/patience.ts'
import { clockJudge, compareClocks, watchClocks } from './clock-watch.ts'

const FIRST = '20261120001'
const { signal } = new AbortController()

/** The offset in a beacon period at which the next value is due in exactly two seconds. */
const PHASE = 1

const NO_REST = { firstMs: 0, maxMs: 0 }

describe('the comparison of the clocks', () => {
  it('finds which of the two is ahead, the beacon from two seconds on', async () => {
    const game = await driveByHand()
    const findings = [
      [0, 'agree'],
      [1.9, 'agree'],
      [2, 'ahead'],
      [2.5, 'ahead'],
      [3_600, 'ahead'],
      [-1, 'agree'],
      [-30, 'behind'],
      [-600, 'behind'],
    ] as const
    for (const [minute, [beaconAhead, finding]] of findings.entries()) {
      // Another minute each: the values of the one before are known.
      await game.clockAt(60 * minute + PHASE, { beaconAhead })
      expect(await compareClocks(game.watched, signal), `${beaconAhead} s`).toMatchObject({
        finding,
      })
    }
  })

  it('finds nothing out where the beacon does not answer, lies, or only has past values', async () => {
    const game = await driveByHand()
    await game.clockAt(60 + PHASE)
    for (const [mood, answerMs] of [
      ['hangs', 100],
      ['hangs where it has no value', 100],
      ['breaks off', 30_000],
      ['lies', 30_000],
    ] as const) {
      game.host.mood = mood
      const found = await compareClocks({ ...game.watched, answerMs }, signal)
      expect(found, mood).toMatchObject({ finding: 'unknown' })
    }
  })

  it('asks for the value after the next where a relay holds the question for the next', async () => {
    const game = await driveByHand()
    game.host.mood = 'holds the next'
    // The question that the host holds ends, and no other, however busy the machine is.
    const beacon = {
      ...game.watched.beacon,
      fetchRound(round: number, signal: AbortSignal) {
        const held = new AbortController()
        game.host.whenHeld = () => held.abort()
        return game.watched.beacon.fetchRound(round, AbortSignal.any([signal, held.signal]))
      },
    }
    const watched = { ...game.watched, beacon }
    await game.clockAt(60 + PHASE)
    expect(await compareClocks(watched, signal)).toMatchObject({ finding: 'agree' })
    await game.clockAt(60 + PHASE, { beaconAhead: 40 })
    expect(await compareClocks(watched, signal)).toMatchObject({ finding: 'ahead' })
  })

  it.each([
    ['hangs', 'needs one host that answers'],
    ['lies', 'needs one host that says that there is no value yet'],
  ] as const)('where another host %s it %s', async (mood, _needs) => {
    const game = await driveByHand()
    const { info } = game.host.source
    const genesisTime = OPENING / 1_000 - 3_600
    const other = await startBeaconHost({ genesisTime, now: game.watched.now })
    other.mood = mood
    const beacon = createDrandBeacon({
      info,
      hosts: [other.url, game.host.url],
      rest: NO_REST,
      notYetRest: NO_REST,
      timeoutMs: 30_000,
    })
    await game.clockAt(60 + PHASE)
    // The value that is not there yet is asked of both: the host that answers does so long before this time.
    const watched = { ...game.watched, beacon, answerMs: 2_000 }
    expect(await compareClocks(watched, signal)).toMatchObject({ finding: 'agree' })
  })
})

describe('the watch', () => {
  it('asks for a value that is due in almost five seconds, for which no relay waits, as time goes on', async () => {
    const game = await driveByHand()
    await game.clockAt(3_600)
    const { info, fetchRound } = game.watched.beacon
    let at = OPENING + 60_000
    const ahead: number[] = []
    const watch = watchClocks({
      ...game.watched,
      leads: async () => true,
      now: () => {
        at += 5
        return at
      },
      wait: (ms, signal) => {
        at += ms
        return machineWait(1, signal)
      },
      beacon: {
        info,
        async fetchRound(round, signal) {
          const dueInMs = timeOfRound(info, round) - at
          if (dueInMs <= 0) return fetchRound(round, signal)
          ahead.push(dueInMs)
          throw new BeaconError(round, [{ host: 'relay', failure: 'not-yet', detail: '425' }])
        },
      },
    })
    onTestFinished(() => watch.stop())
    await eventually(() => ahead.length > 3)
    // The first question is of any moment.
    for (const ms of ahead.slice(1)) expect(ms > 4_900 && ms < 5_000, `${ms} ms`).toBe(true)
  })
})

it('a planned stop that became due while the clocks disagreed begins by the comparison that finds them to agree', async () => {
  const game = await driveByHand()
  const { owner } = game.database
  await game.clockAt(60 + PHASE)
  await staffToken(game.database)
  await owner.query(
    `insert into games.planned_stop (scope, subject_id, begins_at, ends_at, told, planned_by)
     values ('all', 0, app.now(), app.now() + interval '1 hour', 'New servers', 1)`,
  )
  await owner.query('select games.set_clocks_apart(true)')
  const afterFirst = new Promise<boolean>((found) => {
    const watch = watchClocks({
      ...game.watched,
      leads: async () => true,
      async wait(ms, signal) {
        found(await owner.value('select stopped and clocks_apart_since is null from games.house'))
        return machineWait(ms, signal)
      },
    })
    onTestFinished(() => watch.stop())
  })
  expect(await afterFirst).toBe(true)
})

describe('a beacon that is ahead of the database’s clock', () => {
  it('stops betting at once, and is reported; betting opens by itself when the clocks agree again', async () => {
    const game = await driveByHand()
    await game.driveAt(0)
    await addBettor(game.database)
    const player = await addPlayer(game.database)
    const changes: number[] = []
    const { judge, state } = clockJudge({ ...game.watched, roundChanged: (id) => changes.push(id) })
    await judge(signal)
    expect(state).toEqual({ beaconAheadMs: 0, clocksApart: false })

    await game.clockAt(60 + PHASE, { beaconAhead: 40 })
    await judge(signal)
    expect(state).toEqual({ beaconAheadMs: 2_000, clocksApart: true })
    expect(changes).toEqual([1])
    expect(await bet(game.database, player, FIRST)).toBe('games_stopped')
    const alarms = () => game.lines.filter((line) => line.includes('betting is stopped'))
    expect(alarms()).toHaveLength(1)
    await judge(signal)
    expect(alarms()).toHaveLength(1)

    // Without a result the stop stays.
    game.host.mood = 'breaks off'
    await judge(signal)
    expect(await bet(game.database, player, FIRST)).toBe('games_stopped')

    game.host.mood = 'tells'
    await game.clockAt(120 + PHASE)
    await judge(signal)
    expect(state).toEqual({ beaconAheadMs: 0, clocksApart: false })
    expect(changes).toEqual([1, 1])
    expect(await bet(game.database, player, FIRST)).toBeNull()
    await expectAlwaysTrue(game.database.owner)
  })

  it('stops nothing if the database’s clock was set since this process measured it', async () => {
    const game = await driveByHand()
    await game.clockAt(60 + PHASE, { beaconAhead: 40 })
    const measureClock = () => game.clockAt(100 + PHASE)
    const { judge, state } = clockJudge({ ...game.watched, measureClock })
    await judge(signal)
    expect(state).toEqual({ beaconAheadMs: 0, clocksApart: false })
    expect(await areClocksApart(game.database.db)).toBe(false)
  })

  it('is reported by the process that compares, and not by one that has handed this over', async () => {
    const game = await driveByHand()
    await game.clockAt(60 + PHASE, { beaconAhead: 40 })
    let leading = true
    const watch = watchClocks({ ...game.watched, leads: async () => leading })
    onTestFinished(() => watch.stop())
    await eventually(() => watch.state().clocksApart)
    leading = false
    await eventually(() => !watch.state().clocksApart)
    expect(watch.state()).toEqual({ beaconAheadMs: null, clocksApart: false })
  })

  it('stops betting also while a process that has lost its lead ends a comparison that it began before', async () => {
    const game = await driveByHand()
    await game.clockAt(60 + PHASE)
    const asking = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    let asked = 0
    const beacon = {
      ...game.watched.beacon,
      async fetchRound(...of: Parameters<typeof game.watched.beacon.fetchRound>) {
        asked += 1
        // Its first question is answered before it stands still: there is no value yet.
        if (asked === 2) {
          asking.resolve()
          await goOn.promise
        }
        return game.watched.beacon.fetchRound(...of)
      },
    }
    const before = clockJudge({ ...game.watched, beacon })
    const ending = before.judge(signal)
    await asking.promise
    const { judge, state } = clockJudge(game.watched)
    await game.clockAt(60 + PHASE, { beaconAhead: 40 })
    // Once more while betting is stopped: the later comparison counts.
    for (let found = 0; found < 2; found += 1) await judge(signal)
    goOn.resolve()
    await ending
    expect([before.state.clocksApart, state.clocksApart]).toEqual([true, true])
    expect(await areClocksApart(game.database.db)).toBe(true)

    await game.clockAt(120 + PHASE)
    await judge(signal)
    expect(await areClocksApart(game.database.db)).toBe(false)
  })

  it('does not make the newest value that was seen an older one, until they agree', async () => {
    const game = await driveByHand()
    const { judge } = clockJudge(game.watched)
    const seen = () =>
      game.database.owner.value<bigint | null>('select beacon_seen from games.house')
    await game.clockAt(60 + PHASE)
    await judge(signal)
    const newest = await seen()
    expect(newest).not.toBeNull()
    // The database's clock is set back, and the beacon's is not.
    await game.clockAt(30 + PHASE, { beaconAhead: 30 })
    await judge(signal)
    expect(await seen()).toBe(newest)
    await game.clockAt(120 + PHASE)
    await judge(signal)
    expect(await seen()).toBe(newest === null ? null : newest + 20n)
    await game.clockAt(90 + PHASE)
    await judge(signal)
    expect(await seen()).toBe(newest === null ? null : newest + 10n)
    // Values of another chain are no later or earlier ones.
    await game.database.owner.query(`select games.set_clocks_apart(true, 5, 'another')`)
    expect(await seen()).toBe(5n)
  })
})

describe('clocks that are not compared', () => {
  /** As if the last comparison that found them to agree had been so long ago. */
  const agreedAgo = ({ database }: DrivenGame, seconds: number) =>
    database.owner.query(
      'update games.house set clocks_compared_at = clock_timestamp() - make_interval(secs => $1)',
      [seconds],
    )

  const shownToStaff = async ({ database }: DrivenGame) =>
    (await readNeeds(database.db)).some(({ need }) => need === 'clocks_apart')

  it('stop betting after thirty seconds, with an alarm; it opens again when they agree', async () => {
    const game = await driveByHand()
    await game.driveAt(60 + PHASE)
    const player = await addPlayer(game.database)
    const changes: number[] = []
    const { judge, state } = clockJudge({ ...game.watched, roundChanged: (id) => changes.push(id) })
    game.host.mood = 'breaks off'
    await judge(signal)
    expect(await bet(game.database, player, FIRST)).toBeNull()
    await agreedAgo(game, 15)
    await judge(signal)
    expect(state.clocksApart).toBe(false)
    expect(await bet(game.database, player, FIRST)).toBeNull()

    await agreedAgo(game, 30.1)
    await judge(signal)
    expect(state.clocksApart).toBe(true)
    expect(await bet(game.database, player, FIRST)).toBe('games_stopped')
    expect(game.lines.filter((line) => line.includes('cannot be compared'))).toHaveLength(1)
    expect(await shownToStaff(game)).toBe(true)
    // Silence does not end the stop, whatever the time.
    await agreedAgo(game, 0)
    await judge(signal)
    expect(await bet(game.database, player, FIRST)).toBe('games_stopped')

    game.host.mood = 'tells'
    await judge(signal)
    expect(state.clocksApart).toBe(false)
    expect(await bet(game.database, player, FIRST)).toBeNull()
    await expectAlwaysTrue(game.database.owner)
  })

  it('stop betting without an engine, if they last agreed more than thirty seconds ago, or at a time that is not there yet', async () => {
    const game = await driveByHand()
    await game.driveAt(60 + PHASE)
    const player = await addPlayer(game.database)
    for (const seconds of [30.1, -3_600, 30.1]) {
      await clockJudge(game.watched).judge(signal)
      expect(await bet(game.database, player, FIRST)).toBeNull()
      await agreedAgo(game, seconds)
      expect(await bet(game.database, player, FIRST)).toBe('games_stopped')
      expect(await areClocksApart(game.database.db)).toBe(true)
      expect(await shownToStaff(game)).toBe(true)
    }
  })
})

it('a beacon that seems late stops betting after two results in a row', async () => {
  const game = await driveByHand()
  await game.driveAt(0)
  const player = await addPlayer(game.database)
  const { judge, state } = clockJudge(game.watched)
  game.host.mood = 'is late'
  await game.clockAt(60)
  await judge(signal)
  expect(state.clocksApart).toBe(false)
  game.host.mood = 'tells'
  await judge(signal)
  game.host.mood = 'is late'
  await game.clockAt(70)
  await judge(signal)
  expect(await bet(game.database, player, FIRST)).toBeNull()
  await judge(signal)
  expect(state.clocksApart).toBe(true)
  expect(await bet(game.database, player, FIRST)).toBe('games_stopped')
})
