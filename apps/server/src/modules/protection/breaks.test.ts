/** A player's breaks: how long they last, that none is shortened, and how a self-exclusion ends. */
import { describe, expect, it } from 'vitest'
import { addPlayer } from '#testing/database/fixtures.ts'
import { shareTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { exclude, protectionNow, requestEnd } from './protection-store.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOON = Date.UTC(2026, 10, 20, 4)
/** Six months after noon, and five years. */
const SIX_MONTHS = Date.UTC(2027, 4, 20, 4)
const FIVE_YEARS = Date.UTC(2031, 10, 20, 4)

const database = shareTestDatabase()

async function stage() {
  await database.freezeClock(NOON)
  return withPlayer(database, await addPlayer(database, { u: 0 }))
}

function withPlayer(database: TestDatabase, playerId: number) {
  const { db, owner } = database
  return {
    database,
    playerId,
    timeOut: (lasting: string) => exclude(db, { playerId, kind: 'time_out', lasting }),
    selfExclude: (lasting: string) => exclude(db, { playerId, kind: 'self_exclusion', lasting }),
    requestEnd: () => requestEnd(db, playerId),
    close: async () =>
      await db.value<string>('select own_account.close_account($1, null, null) as answer', [
        playerId,
      ]),
    standing: () => protectionNow(db, playerId),
    /** Until when he is excluded, in milliseconds; or infinity. */
    until: async () =>
      await owner.value<string | null>(
        `select case when excluded_until < 'infinity'
             then (extract(epoch from excluded_until) * 1000)::bigint::text else excluded_until::text end as until
           from protection.player where player_id = $1`,
        [playerId],
      ),
    /** His breaks and likenesses, with the hours until each ends and until its end was requested. */
    rows: async () =>
      await owner.column<string>(
        `select concat_ws(' ', kind, ${hoursTo('ends_at')}, 'asked ' || ${hoursTo('end_requested_at')}) as line
           from protection.exclusion where player_id = $1 order by id`,
        [playerId],
      ),
    log: async () =>
      await owner.column<string>(
        `select concat_ws(' ', what, details ->> 'until') as line from protection.change
           where player_id = $1 order by id`,
        [playerId],
      ),
  }
}

function hoursTo(column: string): string {
  return `round((extract(epoch from ${column}) - ${NOON / 1_000}) / 3600)`
}

describe('a time-out', () => {
  it.each([
    ['24 hours', 24],
    ['42 days', 42 * 24],
  ])(
    'lasts %s at an end of what is possible, and the log says until when',
    async (lasting, hours) => {
      const { timeOut, until, rows, log } = await stage()
      expect(await timeOut(lasting)).toBe('begun')
      expect(await until()).toBe(String(NOON + hours * HOUR))
      expect(await rows()).toEqual([`time_out ${hours}`])
      expect(await log()).toEqual([`time_out ${NOON / 1_000 + hours * 3_600}`])
    },
  )

  it('is not begun anew while one lasts as long, and is lengthened by a longer one', async () => {
    const { timeOut, until, rows } = await stage()
    await timeOut('48 hours')
    expect(await timeOut('48 hours')).toBe('already_excluded')
    expect(await timeOut('47 hours')).toBe('already_excluded')
    expect(await rows()).toEqual(['time_out 48'])
    expect(await timeOut('49 hours')).toBe('begun')
    expect(await until()).toBe(String(NOON + 49 * HOUR))
    expect(await rows()).toEqual(['time_out 48', 'time_out 49'])
  })

  it('is shown until its end, without a time from which he may ask to return', async () => {
    const { database, timeOut, standing } = await stage()
    await timeOut('48 hours')
    const end = NOON + 48 * HOUR
    await database.freezeClock(end - 1)
    const shown = { excludedBy: 'time_out', excludedUntil: end, mayAskFrom: null }
    expect(await standing()).toMatchObject(shown)
    await database.freezeClock(end)
    expect(await standing()).toMatchObject({ excludedBy: null, excludedUntil: null })
  })
})

it.each([
  ['time_out', ['24 hours -1 second', '42 days 1 second', '6 months']],
  ['self_exclusion', ['6 months -1 second', '5 years 1 second', '42 days']],
  ['likeness', ['24 hours', '6 months']],
])('a break of kind %s has none of the lengths %j', async (kind, lengths) => {
  const { database, playerId, until } = await stage()
  for (const lasting of lengths) {
    const begun = database.owner.query('select protection.exclude($1, $2, $3)', [
      ...[playerId, kind, lasting],
    ])
    await expect(begun).rejects.toThrow(`there is no ${kind} of`)
  }
  expect(await until()).toBeNull()
})

describe('a self-exclusion', () => {
  it.each([
    ['6 months', SIX_MONTHS],
    ['5 years', FIVE_YEARS],
  ])('lasts %s at an end of what is possible, and has no end by itself', async (lasting, end) => {
    const { selfExclude, until, standing, log } = await stage()
    expect(await selfExclude(lasting)).toBe('begun')
    expect(await until()).toBe('infinity')
    expect(await log()).toEqual([`self_exclusion ${end / 1_000}`])
    expect(await standing()).toMatchObject({ excludedBy: 'self_exclusion', mayAskFrom: end })
    // An end of infinity would not be a number.
    expect((await standing())?.excludedUntil).toBeNull()
  })

  it('ends at the hour of UTC at which it began, in whatever zone the database’s machine is', async () => {
    const { database, playerId, standing } = await stage()
    await database.owner.transaction(async (tx) => {
      await tx.query(`set local time zone 'Europe/Berlin'`)
      await tx.query(`select protection.exclude($1, 'self_exclusion', '6 months')`, [playerId])
    })
    expect(await standing()).toMatchObject({ mayAskFrom: SIX_MONTHS })
  })

  it('is not begun anew while one lasts as long, and is lengthened by a longer one', async () => {
    const { database, selfExclude, rows, standing } = await stage()
    await selfExclude('12 months')
    expect(await selfExclude('12 months')).toBe('already_excluded')
    expect(await selfExclude('6 months')).toBe('already_excluded')
    expect(await rows()).toHaveLength(1)
    await database.freezeClock(NOON + DAY)
    expect(await selfExclude('12 months')).toBe('begun')
    expect(await rows()).toHaveLength(2)
    const end = Date.UTC(2027, 10, 21, 4)
    expect(await standing()).toMatchObject({ excludedBy: 'self_exclusion', mayAskFrom: end })
  })

  it('can be begun during a time-out, after which no time-out can be', async () => {
    const { timeOut, selfExclude, until, standing } = await stage()
    await timeOut('42 days')
    expect(await selfExclude('6 months')).toBe('begun')
    expect(await until()).toBe('infinity')
    expect(await timeOut('42 days')).toBe('already_excluded')
    expect(await standing()).toMatchObject({ excludedBy: 'self_exclusion', mayAskFrom: SIX_MONTHS })
  })

  it('can be begun even if a time-out ends later, by a clock that was set back', async () => {
    const { database, timeOut, selfExclude, until } = await stage()
    await timeOut('42 days')
    await database.freezeClock(NOON - 200 * DAY)
    expect(await selfExclude('6 months')).toBe('begun')
    expect(await until()).toBe('infinity')
  })

  it('can be begun again after the return from one', async () => {
    const { database, selfExclude, requestEnd, rows } = await stage()
    await selfExclude('6 months')
    await database.freezeClock(SIX_MONTHS)
    expect(await requestEnd()).toBe('end_requested')
    await database.freezeClock(SIX_MONTHS + 2 * DAY)
    expect(await selfExclude('6 months')).toBe('begun')
    expect(await rows()).toHaveLength(2)
  })
})

describe('the return from a self-exclusion', () => {
  it('is requested at its end and not 1 ms before, and comes a day later', async () => {
    const { database, selfExclude, requestEnd, until, standing, log } = await stage()
    expect(await requestEnd()).toBe('not_excluded')
    await selfExclude('6 months')
    await database.freezeClock(SIX_MONTHS - 1)
    expect(await requestEnd()).toBe('too_early')
    expect(await until()).toBe('infinity')
    await database.freezeClock(SIX_MONTHS)
    expect(await requestEnd()).toBe('end_requested')
    expect(await until()).toBe(String(SIX_MONTHS + DAY))
    expect((await log()).at(-1)).toBe('end_requested')
    expect(await standing()).toMatchObject({
      excludedBy: 'self_exclusion',
      excludedUntil: SIX_MONTHS + DAY,
      mayAskFrom: null,
    })
    expect(await requestEnd()).toBe('not_excluded')
    await database.freezeClock(SIX_MONTHS + DAY)
    expect(await standing()).toMatchObject({ excludedBy: null, excludedUntil: null })
    expect(await requestEnd()).toBe('not_excluded')
  })

  it('is possible when the longest is over', async () => {
    const { database, selfExclude, requestEnd } = await stage()
    await selfExclude('6 months')
    await selfExclude('12 months')
    await database.freezeClock(SIX_MONTHS)
    expect(await requestEnd()).toBe('too_early')
    await database.freezeClock(Date.UTC(2027, 10, 20, 4))
    expect(await requestEnd()).toBe('end_requested')
  })

  it('is noted with those whose end was not requested before, and with nothing else', async () => {
    const { database, playerId, timeOut, selfExclude, requestEnd, rows } = await stage()
    const other = await addPlayer(database, { u: 0 })
    await timeOut('24 hours')
    await database.owner.query(
      `insert into protection.exclusion (player_id, kind, began_at, like_player, like_in)
       values ($1, 'likeness', app.now(), $2, 'card')`,
      [playerId, other],
    )
    await selfExclude('6 months')
    await database.freezeClock(SIX_MONTHS)
    expect(await requestEnd()).toBe('end_requested')
    await database.freezeClock(SIX_MONTHS + 2 * DAY)
    await selfExclude('6 months')
    await database.freezeClock(SIX_MONTHS + 366 * DAY)
    expect(await requestEnd()).toBe('end_requested')
    const first = (SIX_MONTHS - NOON) / HOUR
    const second = (Date.UTC(2027, 10, 22, 4) - NOON) / HOUR
    expect(await rows()).toEqual([
      'time_out 24',
      'likeness',
      `self_exclusion ${first} asked ${first}`,
      `self_exclusion ${second} asked ${first + 366 * 24}`,
    ])
  })

  it('is not possible from a closed account without one, or with one that is over', async () => {
    const ann = await stage()
    const [bob, eve] = [
      withPlayer(ann.database, await addPlayer(ann.database, { u: 0 })),
      withPlayer(ann.database, await addPlayer(ann.database, { u: 0 })),
    ]
    await bob.timeOut('24 hours')
    await eve.selfExclude('6 months')
    await ann.database.freezeClock(SIX_MONTHS)
    expect(await eve.requestEnd()).toBe('end_requested')
    await ann.database.freezeClock(SIX_MONTHS + 2 * DAY)
    for (const player of [ann, bob, eve]) {
      expect(await player.close()).toBe('closed')
      expect(await player.requestEnd()).toBe('not_excluded')
      expect(await player.until()).toBe('infinity')
    }
    expect(await eve.standing()).toMatchObject({ excludedUntil: null, mayAskFrom: null })
  })
})

describe('what is shown of a player who is excluded', () => {
  it('is the break that ends last, and not a likeness', async () => {
    const { database, playerId, timeOut, standing } = await stage()
    await timeOut('72 hours')
    const other = await addPlayer(database, { u: 0 })
    await database.owner.query(
      `insert into protection.exclusion (player_id, kind, began_at, ends_at, like_player, like_in)
       values ($1, 'self_exclusion', app.now(), app.now() + interval '71 hours', null, null),
         ($1, 'likeness', app.now(), null, $2, 'card')`,
      [playerId, other],
    )
    expect(await standing()).toMatchObject({
      excludedBy: 'time_out',
      excludedUntil: NOON + 72 * HOUR,
      mayAskFrom: null,
    })
  })

  it('is no time from which he may ask to return if he closed his account during a time-out', async () => {
    const { timeOut, close, standing } = await stage()
    await timeOut('24 hours')
    expect(await close()).toBe('closed')
    expect(await standing()).toMatchObject({ excludedBy: 'time_out', mayAskFrom: null })
  })

  it('is a review by staff when no break goes on', async () => {
    const { database, playerId, timeOut, standing } = await stage()
    await database.owner.query(
      'update protection.player set under_review = true where player_id = $1',
      [playerId],
    )
    await timeOut('24 hours')
    expect(await standing()).toMatchObject({ excludedBy: 'time_out' })
    await database.freezeClock(NOON + DAY)
    expect(await standing()).toMatchObject({ excludedBy: 'likeness', excludedUntil: null })
  })

  it('is that he is under age, also if he closed his account and was in a time-out before', async () => {
    const { database, playerId, timeOut, close, standing } = await stage()
    await timeOut('24 hours')
    await database.owner.query('select protection.hold_under_age($1, 2012)', [playerId])
    expect(await close()).toBe('closed')
    expect(await standing()).toMatchObject({ excludedBy: 'time_out' })
    await database.freezeClock(NOON + DAY)
    expect(await standing()).toMatchObject({ excludedBy: 'under_age', excludedUntil: null })
  })
})

/** A break of one player that began before noon; whether it is shared at a time, and until when. */
async function sharedBreak(
  broke: { kind: 'time_out' | 'self_exclusion'; endsAt: number; endRequestedAt?: number },
  at: number,
) {
  const { owner } = database
  const [from, to] = [await addPlayer(database, { u: 0 }), await addPlayer(database, { u: 0 })]
  await owner.query(
    `insert into protection.exclusion (player_id, kind, began_at, ends_at, end_requested_at)
     values ($1, $2, $3, $4, $5)`,
    [
      ...[from, broke.kind, new Date(NOON - 9_000 * HOUR), new Date(broke.endsAt)],
      broke.endRequestedAt === undefined ? null : new Date(broke.endRequestedAt),
    ],
  )
  const shared = await owner.value<boolean>(
    'select protection.share_exclusion($1, $2, $3) as shared',
    [to, from, new Date(at)],
  )
  const [row] = await owner.query<{ until: string | null; breaks: bigint }>(
    `select coalesce((extract(epoch from nullif(excluded_until, 'infinity')) * 1000)::bigint::text,
         excluded_until::text) as until,
       (select count(*) from protection.exclusion where exclusion.player_id = player.player_id) as breaks
     from protection.player where player_id = $1`,
    [to],
  )
  return { shared, until: row?.until, breaks: Number(row?.breaks) }
}

const NOTHING = { shared: false, until: null, breaks: 0 }
const until = (end: number | 'infinity') => ({ shared: true, until: String(end), breaks: 1 })

describe('a break is shared with an account of the same person', () => {
  const timeOut = { kind: 'time_out', endsAt: NOON } as const
  const exclusion = {
    kind: 'self_exclusion',
    endsAt: NOON - 100 * HOUR,
    endRequestedAt: NOON - 24 * HOUR,
  } as const

  it.each([
    ['a time-out, until its last millisecond', timeOut, NOON - 1, until(NOON)],
    ['no time-out that is over', timeOut, NOON, NOTHING],
    [
      'a self-exclusion, without an end, until the player asks to return',
      { kind: 'self_exclusion', endsAt: NOON - HOUR },
      NOON,
      until('infinity'),
    ],
    ['one whose player has asked, for a day from then', exclusion, NOON - 1, until(NOON)],
    ['no self-exclusion when that day is over', exclusion, NOON, NOTHING],
  ] as const)('%s', async (_, broke, at, expected) => {
    expect(await sharedBreak(broke, at)).toEqual(expected)
  })
})

/** At noon a player began a time-out of 42 days, and got a self-exclusion whose time ends in an hour. */
async function longTimeOutWithSharedExclusion() {
  const { db, owner } = database
  const [from, to] = [await addPlayer(database, { u: 0 }), await addPlayer(database, { u: 0 })]
  await database.freezeClock(NOON)
  await owner.query(
    `insert into protection.exclusion (player_id, kind, began_at, ends_at)
     values ($1, 'self_exclusion', app.now() - interval '6 months', app.now() + interval '1 hour')`,
    [from],
  )
  expect(await exclude(db, { playerId: to, kind: 'time_out', lasting: '42 days' })).toBe('begun')
  expect(
    await owner.query('select protection.share_exclusion($1, $2, app.now()) as shared', [to, from]),
  ).toEqual([{ shared: true }])
  return { database, db, to }
}

it('a time-out goes on to its end, although a shared self-exclusion ends before it', async () => {
  const { database, db, to } = await longTimeOutWithSharedExclusion()
  const end = NOON + 42 * 24 * HOUR
  await database.freezeClock(NOON + HOUR)
  expect(await requestEnd(db, to)).toBe('end_requested')
  expect(await protectionNow(db, to)).toMatchObject({ excludedBy: 'time_out', excludedUntil: end })
  await database.freezeClock(end)
  expect(await protectionNow(db, to)).toMatchObject({ excludedBy: null })
})

it('a shared self-exclusion is shown as what goes on, although a time-out ends later than its time', async () => {
  const { database, db, to } = await longTimeOutWithSharedExclusion()
  const shown = { excludedBy: 'self_exclusion', excludedUntil: null, mayAskFrom: NOON + HOUR }
  expect(await protectionNow(db, to)).toMatchObject(shown)
  await database.freezeClock(NOON + 60 * 24 * HOUR)
  expect(await protectionNow(db, to)).toMatchObject(shown)
})
