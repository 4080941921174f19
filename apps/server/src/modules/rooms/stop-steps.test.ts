/** Stops of betting in the database: who ends which, and how they wait for bets and for each other. */
import { describe, expect, it } from 'vitest'
import { callFunction, type Transaction } from '#src/db/database.ts'
import { catalogReader, keepPlannedStops, plannedStops } from '#src/modules/games/catalog.ts'
import { addPlayer, openTestRound, orderFor, placeAll } from '#testing/database/fixtures.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { staffToken } from '#testing/people/staff.ts'
import {
  cancelPlannedStop,
  houseStops,
  planStop,
  type StopSubject,
  stopState,
  stopsNow,
} from './stop-betting.ts'

/** The transaction, by default one of its own, and who acts. */
type By = { by?: Transaction; who?: string }

const AT = Date.UTC(2026, 10, 20)

const of = ({ scope, id }: StopSubject) => [scope, id] as const

async function house() {
  const database = await createTestDatabase()
  await database.freezeClock(AT)
  const { db, owner } = database
  const session = await staffToken(database)
  const within = <Result>(
    by: Transaction | undefined,
    work: (tx: Transaction) => Promise<Result>,
  ) => (by ? work(by) : db.transaction(work))
  /** The number of the present stop. */
  const numberOf = async (subject: StopSubject) => {
    const { scope, id } = subject
    const found = (await stopsNow(db)).find((each) => each.scope === scope && each.subjectId === id)
    return found?.id ?? null
  }
  return {
    database,
    db,
    owner,
    session,
    stop: (subject: StopSubject, { by, who = session }: By = {}) =>
      within(by, (tx) =>
        callFunction<boolean>(tx, 'games.stop_betting', ...of(subject), 'fault', null, who),
      ),
    /** Ends the present stop, or the one that was `seen`. */
    open: async (
      subject: StopSubject,
      { by, who = session, seen }: By & { seen?: number | null } = {},
    ) => {
      const number = seen === undefined ? await numberOf(subject) : seen
      return within(by, (tx) =>
        callFunction<string>(tx, 'games.open_betting', ...of(subject), number, who),
      )
    },
    numberOf,
    /** What is marked as stopped, and what has a stop with its reason; both in order. */
    stopped: async () => {
      const marked = await owner.column<string>(
        `select 'all 0' as name from games.house where stopped
         union all select 'game ' || id from games.game where stopped
         union all select 'room ' || id from games.room where stopped order by 1`,
      )
      const stops = await stopsNow(db)
      return {
        marked,
        stops: stops.map(({ scope, subjectId }) => `${scope} ${subjectId}`).sort(),
      }
    },
  }
}

const both = (...names: string[]) => ({ marked: names, stops: names })
const ALL = { scope: 'all', id: 0 } as const
const game = (id: number) => ({ scope: 'game', id }) as const
const room = (id: number) => ({ scope: 'room', id }) as const

it('a stop is ended alone, and the others of its kind and of other kinds stay', async () => {
  const { stop, open, stopped } = await house()
  for (const subject of [ALL, game(1), game(2), room(11), room(12)]) await stop(subject)
  for (const subject of [room(12), game(1), ALL]) expect(await open(subject)).toBe('open')
  expect(await stopped()).toEqual(both('game 2', 'room 11'))
})

it('what is not stopped or does not exist is not opened, and what does not exist is not stopped', async () => {
  const { stop, open, stopped } = await house()
  for (const subject of [ALL, game(1), room(11)]) expect(await open(subject)).toBe('not_stopped')
  for (const subject of [game(9), room(99)]) {
    expect(await open(subject)).toBe('not_found')
    expect(await stop(subject)).toBe(false)
  }
  expect(await stopped()).toEqual(both())
})

it('a second stop of the same changes its reason, person and time', async () => {
  const { database, db, stop } = await house()
  await stop(room(11))
  await database.freezeClock(AT + 1_000)
  const other = await staffToken(database, { role: 'support' })
  await db.transaction((tx) =>
    callFunction(tx, 'games.stop_betting', ...of(room(11)), 'other', 'a test', other),
  )
  const name = await database.owner.value<string>(
    `select name from staff.member where role = 'support'`,
  )
  expect(await stopsNow(db)).toEqual([
    {
      id: expect.any(Number),
      scope: 'room',
      subjectId: 11,
      reason: 'other',
      note: 'a test',
      stoppedBy: name,
      stoppedAt: AT + 1_000,
    },
  ])
})

it('an opening waits for a stop that is not committed yet, and does not end it, because it was not seen', async () => {
  const { database, stop, open, numberOf, stopped } = await house()
  await stop(game(1))
  const seen = await numberOf(game(1))
  const opened = await answerAfter(database, {
    first: (tx) => stop(game(1), { by: tx }),
    second: () => open(game(1), { seen }),
  })
  expect(opened).toBe('decided')
  expect(await open(game(1), { seen: null })).toBe('decided')
  expect(await stopped()).toEqual(both('game 1'))
  expect(await open(game(1))).toBe('open')
  expect(await stopped()).toEqual(both())
})

describe('betting', () => {
  const bet = `select from bets.place($1::jsonb)`

  it.each(['staff', 'the clocks'] as const)(
    'is stopped by %s only after the running bets',
    async (by) => {
      const { database, db, stop, stopped } = await house()
      const round = await openTestRound(database)
      const player = await addPlayer(database)
      await answerAfter<unknown>(database, {
        first: (tx) => tx.query(bet, [JSON.stringify([{ ...orderFor(player, round), ord: 0 }])]),
        second: () =>
          by === 'staff' ? stop(ALL) : db.query('select games.set_clocks_apart(true) as changed'),
        async whileWaiting(tx) {
          const marked = 'select from games.house where stopped or clocks_apart_since is not null'
          expect(await tx.exists(marked)).toBe(false)
          await database.freezeClock(AT + 1_000)
        },
      })
      // The time is read after the wait.
      if (by === 'staff') {
        expect(await stopped()).toEqual(both('all 0'))
        expect((await stopsNow(db))[0]?.stoppedAt).toBe(AT + 1_000)
      } else expect(await houseStops(db)).toMatchObject({ clocksApartSince: AT + 1_000 })
      expect(await placeAll(database, [orderFor(player, round)])).toEqual(['games_stopped'])
    },
  )

  it.each([
    ['a stop of the room', room(11), 'room_stopped'],
    ['a stop of the game', game(1), 'room_stopped'],
    ['a stop of all', ALL, 'games_stopped'],
    ['a stop by the clocks', 'the clocks', 'games_stopped'],
    ['an opening', 'opening', null],
  ] as const)(
    'waits for %s that is not committed yet, and sees it',
    async (_change, by, reason) => {
      const { database, stop, open } = await house()
      const round = await openTestRound(database)
      const player = await addPlayer(database)
      if (by === 'opening') await stop(ALL)
      const reasons = await answerAfter(database, {
        first: (tx) => {
          if (by === 'opening') return open(ALL, { by: tx })
          if (by === 'the clocks') return tx.query('select games.set_clocks_apart(true)')
          return stop(by, { by: tx })
        },
        second: () => placeAll(database, [orderFor(player, round)]),
      })
      expect(reasons).toEqual([reason])
      expect(await database.owner.query('select from bets.bet')).toHaveLength(reason ? 0 : 1)
    },
  )
})

it('clocks agree by no comparison whose beginning is not given', async () => {
  const { db, database } = await house()
  await db.query('select games.set_clocks_apart(true)')
  expect(await db.value('select games.set_clocks_apart(false, began => null)')).toBe(false)
  const isApart =
    'select clocks_apart_since is not null and clocks_compared_at is not null from games.house'
  expect(await database.owner.value(isApart)).toBe(true)
})

it('clocks that disagree stop betting from then on until they agree, whatever staff have stopped', async () => {
  const { database, db, stop, stopped } = await house()
  /** Sets it, and returns whether that changed anything, and since when the clocks are apart. */
  const set = async (apart: boolean) => [
    await db.value<boolean>('select games.set_clocks_apart($1)', [apart]),
    (await houseStops(db)).clocksApartSince,
  ]
  expect(await set(true)).toEqual([true, AT])
  // Nobody has stopped anything that could be opened.
  const shown = stopState(await catalogReader(db)(), { stops: [], house: await houseStops(db) })
  expect(shown).toMatchObject({ stopped: false, stop: null, clocks_apart_since: AT / 1000 })
  await stop(ALL)
  await database.freezeClock(AT + 1_000)
  expect(await set(true)).toEqual([false, AT])
  expect(await set(false)).toEqual([true, null])
  expect(await set(false)).toEqual([false, null])
  expect(await stopped()).toEqual(both('all 0'))
})

describe('a planned stop', () => {
  const HOUR = 3_600_000

  async function planned(subject: StopSubject) {
    const made = await house()
    const { db, session } = made
    const plan = (beginsAt: number, endsAt: number) =>
      planStop(db, { subject, beginsAt, endsAt, session, told: 'New servers', now: AT })
    expect(await plan(AT + HOUR, AT + 2 * HOUR)).toBeNull()
    const at = async (time: number) => {
      await made.database.freezeClock(time)
      return (await keepPlannedStops(db)).sort()
    }
    /** Another session: the first ends while nobody uses it. */
    const anew = () => staffToken(made.database)
    return { ...made, plan, at, anew }
  }

  it('begins and ends by itself, once each', async () => {
    const { owner, at, stopped } = await planned(game(2))
    expect(await at(AT + HOUR - 1)).toEqual([])
    expect(await stopped()).toEqual(both())
    expect(await at(AT + HOUR)).toEqual([2])
    expect(await at(AT + HOUR)).toEqual([])
    expect(await stopped()).toEqual(both('game 2'))
    expect(await at(AT + 2 * HOUR)).toEqual([2])
    expect(await at(AT + 2 * HOUR)).toEqual([])
    expect(await stopped()).toEqual(both())
    const log = await owner.column<string>(
      "select action || ' ' || subject as line from staff.audit order by id",
    )
    expect(log).toEqual([
      ...['stop_planned game:2', 'betting_stopped game:2', 'betting_opened game:2'],
    ])
  })

  it.each([
    ['overlaps', 1.5, 3],
    ['follows it at once', 2, 3],
    ['lasts longer', 0.5, 3],
    ['precedes it', 0.5, 1],
  ])('goes on until the end of another of the same that %s', async (_which, from, until) => {
    const { owner, db, plan, at, stopped } = await planned(game(2))
    expect(await plan(AT + from * HOUR, AT + until * HOUR)).toBeNull()
    const [first, last] = [Math.min(from, 1), Math.max(until, 2)]
    expect(await at(AT + first * HOUR)).toEqual([2])
    for (let time = first; time < last; time += 0.5) {
      if (time > first) expect(await at(AT + time * HOUR)).toEqual([])
      expect(await stopped()).toEqual(both('game 2'))
    }
    expect(await stopsNow(db)).toMatchObject([{ reason: 'maintenance', note: 'New servers' }])
    expect(await at(AT + last * HOUR)).toEqual([2])
    expect(await stopped()).toEqual(both())
    const log = await owner.column<string>(
      "select action from staff.audit where action like 'betting%' order by id",
    )
    expect(log).toEqual(['betting_stopped', 'betting_opened'])
  })

  it('that a person ends early is not made again, nor by another that has begun', async () => {
    const { db, plan, at, open, stopped, anew } = await planned(ALL)
    await plan(AT + 1.5 * HOUR, AT + 3 * HOUR)
    expect(await at(AT + HOUR)).toEqual([1, 2, 3, 4])
    await at(AT + 1.5 * HOUR)
    expect(await open(ALL, { who: await anew() })).toBe('open')
    // Players are told of none any more.
    expect(await plannedStops(db)).toEqual([])
    expect(await at(AT + 1.5 * HOUR + 1)).toEqual([])
    expect(await at(AT + 2 * HOUR)).toEqual([])
    expect(await stopped()).toEqual(both())
  })

  it('does not end a stop that a person has made before it, or changed during it', async () => {
    for (const before of [true, false]) {
      const { at, stop, stopped, anew } = await planned(room(12))
      if (before) expect(await stop(room(12))).toBe(true)
      expect(await at(AT + HOUR)).toEqual(before ? [] : [1])
      if (!before) expect(await stop(room(12), { who: await anew() })).toBe(true)
      expect(await at(AT + 2 * HOUR)).toEqual([])
      expect(await stopped()).toEqual(both('room 12'))
    }
  })

  it('is not made if nobody kept its time', async () => {
    const { at, stopped } = await planned(ALL)
    expect(await at(AT + 2 * HOUR)).toEqual([])
    expect(await stopped()).toEqual(both())
  })

  it.each([
    ['begins', HOUR, true],
    ['ends', 2 * HOUR, false],
  ])('%s by no clock that disagrees with the beacon', async (what, due, stops) => {
    const { database, db, at, stopped, anew } = await planned(game(2))
    const before = what === 'ends' ? both('game 2') : both()
    if (what === 'ends') expect(await at(AT + HOUR)).toEqual([2])
    await db.query('select games.set_clocks_apart(true)')
    for (const ahead of [due, 5 * HOUR]) {
      expect(await at(AT + ahead)).toEqual([])
      expect(await stopped()).toEqual(before)
    }
    await database.freezeClock(AT + due - 1)
    await db.query('select games.set_clocks_apart(false)')
    expect(await at(AT + due - 1)).toEqual([])
    expect(await stopped()).toEqual(before)
    await anew()
    expect(await at(AT + due)).toEqual([2])
    expect(await stopped()).toEqual(stops ? both('game 2') : both())
  })

  it('is cancelled before it begins, and not after it', async () => {
    const { db, session, at, stopped, anew } = await planned(game(1))
    expect(await cancelPlannedStop(db, { id: 1, session })).toEqual(game(1))
    expect(await plannedStops(db)).toEqual([])
    expect(await at(AT + HOUR)).toEqual([])
    expect(await stopped()).toEqual(both())
    for (const [id, refused] of [
      [1, 'already_decided'],
      [2, 'not_found'],
    ] as const) {
      expect(await cancelPlannedStop(db, { id, session: await anew() })).toMatchObject({ refused })
    }
  })

  it('has an end after its beginning and after now, within 90 days, and something to stop', async () => {
    const { db, session, plan } = await planned(game(1))
    for (const [beginsAt, endsAt, fault] of [
      [AT + HOUR, AT + HOUR, 'ends_too_early'],
      [AT - HOUR, AT, 'ends_too_early'],
      [AT, AT + 90 * 24 * HOUR + 1, 'too_far_ahead'],
    ] as const) {
      expect(await plan(beginsAt, endsAt)).toMatchObject({ faults: { ends_at: fault } })
    }
    const times = { beginsAt: AT, endsAt: AT + HOUR, told: 'x', now: AT }
    expect(await planStop(db, { ...times, subject: room(99), session })).toMatchObject({
      refused: 'not_found',
    })
  })
})
