/** A player's breaks: how long they last, that none is shortened, and how a self-exclusion ends. */
import { describe, expect, it } from 'vitest'
import { addPlayer } from '#testing/database/fixtures.ts'
import { shareTestDatabase } from '#testing/database/test-database.ts'
import { exclude, protectionNow, requestEnd } from './protection-store.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOON = Date.UTC(2026, 10, 20, 4)
/** Six months after noon, and five years. */
const SIX_MONTHS = Date.UTC(2027, 4, 20, 4)
const FIVE_YEARS = Date.UTC(2031, 10, 20, 4)

const CLOSE = 'select own_account.close_account($1, null, null)'
const REVIEW = 'update protection.player set under_review = true where player_id = $1'

const database = shareTestDatabase()

/** A player at noon, and the calls about him. */
async function stage() {
  await database.freezeClock(NOON)
  const { db, owner } = database
  const playerId = await addPlayer(database, { u: 0 })
  return {
    playerId,
    timeOut: (lasting: string) => exclude(db, { playerId, kind: 'time_out', lasting }),
    selfExclude: (lasting: string) => exclude(db, { playerId, kind: 'self_exclusion', lasting }),
    requestEnd: () => requestEnd(db, playerId),
    close: () => owner.value(CLOSE, [playerId]),
    standing: () => protectionNow(db, playerId),
    until: () => excludedUntil(playerId),
    /** His breaks and likenesses, with the hours until each ends and until its end was requested. */
    rows: () =>
      owner.column<string>(
        `select concat_ws(' ', kind, ${hoursTo('ends_at')}, 'asked ' || ${hoursTo('end_requested_at')}) as line
         from protection.exclusion where player_id = $1 order by id`,
        [playerId],
      ),
    log: () =>
      owner.column<string>(
        `select concat_ws(' ', what, details ->> 'until') as line from protection.change
         where player_id = $1 order by id`,
        [playerId],
      ),
  }
}

function hoursTo(column: string): string {
  return `round((extract(epoch from ${column}) - ${NOON / 1_000}) / 3600)`
}

/** Until when a player is excluded, in milliseconds; or infinity. */
function excludedUntil(playerId: number): Promise<string | null> {
  return database.owner.value<string | null>(
    `select coalesce((extract(epoch from nullif(excluded_until, 'infinity')) * 1000)::bigint::text,
       excluded_until::text) as until
     from protection.player where player_id = $1`,
    [playerId],
  )
}

/** Adds a likeness, of a card, to another player. */
async function addLikeness(playerId: number): Promise<void> {
  await database.owner.query(
    `insert into protection.exclusion (player_id, kind, began_at, like_player, like_in)
     values ($1, 'likeness', app.now(), $2, 'card')`,
    [playerId, await addPlayer(database, { u: 0 })],
  )
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
    expect(await timeOut('49 hours')).toBe('begun')
    expect(await until()).toBe(String(NOON + 49 * HOUR))
    expect(await rows()).toEqual(['time_out 48', 'time_out 49'])
  })

  it('is shown until its end, without a time from which he may ask to return', async () => {
    const { timeOut, standing } = await stage()
    await timeOut('48 hours')
    const end = NOON + 48 * HOUR
    await database.freezeClock(end - 1)
    const shown = { excludedBy: 'time_out', excludedUntil: end, mayAskFrom: null }
    expect(await standing()).toMatchObject(shown)
    await database.freezeClock(end)
    expect(await standing()).toMatchObject({ excludedBy: null, excludedUntil: null })
  })
})

it('breaks of each kind can be begun during a review by staff', async () => {
  const { playerId, timeOut, selfExclude } = await stage()
  await database.owner.query(REVIEW, [playerId])
  expect(await timeOut('24 hours')).toBe('begun')
  expect(await selfExclude('6 months')).toBe('begun')
})

it.each([
  ['time_out', ['24 hours -1 second', '42 days 1 second', '6 months']],
  ['self_exclusion', ['6 months -1 second', '5 years 1 second', '42 days']],
  ['likeness', ['24 hours', '6 months']],
])('a break of kind %s has none of the lengths %j', async (kind, lengths) => {
  const { playerId, until } = await stage()
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
    // An end of infinity would not be a number.
    const shown = { excludedBy: 'self_exclusion', excludedUntil: null, mayAskFrom: end }
    expect(await standing()).toMatchObject(shown)
  })

  it('ends at the hour of UTC at which it began, in whatever zone the database’s machine is', async () => {
    const { playerId, standing } = await stage()
    await database.owner.transaction(async (tx) => {
      await tx.query(`set local time zone 'Europe/Berlin'`)
      await tx.query(`select protection.exclude($1, 'self_exclusion', '6 months')`, [playerId])
    })
    expect(await standing()).toMatchObject({ mayAskFrom: SIX_MONTHS })
  })

  it('is not begun anew while one lasts as long, and is lengthened by a longer one', async () => {
    const { selfExclude, rows, standing } = await stage()
    await selfExclude('12 months')
    expect(await selfExclude('12 months')).toBe('already_excluded')
    expect(await selfExclude('6 months')).toBe('already_excluded')
    await database.freezeClock(NOON + DAY)
    expect(await selfExclude('12 months')).toBe('begun')
    expect(await rows()).toHaveLength(2)
    expect(await standing()).toMatchObject({ mayAskFrom: Date.UTC(2027, 10, 21, 4) })
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
    const { timeOut, selfExclude, until } = await stage()
    await timeOut('42 days')
    await database.freezeClock(NOON - 200 * DAY)
    expect(await selfExclude('6 months')).toBe('begun')
    expect(await until()).toBe('infinity')
  })
})

describe('the return from a self-exclusion', () => {
  it('is requested at its end and not 1 ms before, and comes a day later', async () => {
    const { selfExclude, requestEnd, until, standing, log } = await stage()
    expect(await requestEnd()).toBe('not_excluded')
    await selfExclude('6 months')
    await database.freezeClock(SIX_MONTHS - 1)
    expect(await requestEnd()).toBe('too_early')
    expect(await until()).toBe('infinity')
    await database.freezeClock(SIX_MONTHS)
    expect(await requestEnd()).toBe('end_requested')
    const end = SIX_MONTHS + DAY
    expect(await until()).toBe(String(end))
    expect((await log()).at(-1)).toBe('end_requested')
    const shown = { excludedBy: 'self_exclusion', excludedUntil: end, mayAskFrom: null }
    expect(await standing()).toMatchObject(shown)
    expect(await requestEnd()).toBe('not_excluded')
    await database.freezeClock(end)
    expect(await standing()).toMatchObject({ excludedBy: null, excludedUntil: null })
    expect(await requestEnd()).toBe('not_excluded')
  })

  it('is possible when the longest is over', async () => {
    const { selfExclude, requestEnd } = await stage()
    await selfExclude('6 months')
    await selfExclude('12 months')
    await database.freezeClock(SIX_MONTHS)
    expect(await requestEnd()).toBe('too_early')
    await database.freezeClock(Date.UTC(2027, 10, 20, 4))
    expect(await requestEnd()).toBe('end_requested')
  })

  it('is noted with those whose end was not requested before, and with nothing else; after it comes another', async () => {
    const { playerId, timeOut, selfExclude, requestEnd, rows } = await stage()
    await timeOut('24 hours')
    await addLikeness(playerId)
    await selfExclude('6 months')
    await database.freezeClock(SIX_MONTHS)
    expect(await requestEnd()).toBe('end_requested')
    await database.freezeClock(SIX_MONTHS + 2 * DAY)
    expect(await selfExclude('6 months')).toBe('begun')
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
    const [ann, bob, eve] = [await stage(), await stage(), await stage()]
    await bob.timeOut('24 hours')
    await eve.selfExclude('6 months')
    await database.freezeClock(SIX_MONTHS)
    expect(await eve.requestEnd()).toBe('end_requested')
    await database.freezeClock(SIX_MONTHS + 2 * DAY)
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
    const { playerId, timeOut, standing } = await stage()
    await timeOut('72 hours')
    await database.owner.query(
      `insert into protection.exclusion (player_id, kind, began_at, ends_at)
       values ($1, 'self_exclusion', app.now(), app.now() + interval '71 hours')`,
      [playerId],
    )
    await addLikeness(playerId)
    const shown = { excludedBy: 'time_out', excludedUntil: NOON + 72 * HOUR, mayAskFrom: null }
    expect(await standing()).toMatchObject(shown)
  })

  it('is no time from which he may ask to return if he closed his account during a time-out', async () => {
    const { timeOut, close, standing } = await stage()
    await timeOut('24 hours')
    expect(await close()).toBe('closed')
    expect(await standing()).toMatchObject({ excludedBy: 'time_out', mayAskFrom: null })
  })

  it.each([
    ['a review by staff', 'likeness', [REVIEW]],
    [
      'that he is under age, also if he closed his account,',
      'under_age',
      ['select protection.hold_under_age($1, 2012)', CLOSE],
    ],
  ])('is %s when no break goes on', async (_, excludedBy, statements) => {
    const { playerId, timeOut, standing } = await stage()
    await timeOut('24 hours')
    for (const statement of statements) await database.owner.query(statement, [playerId])
    expect(await standing()).toMatchObject({ excludedBy: 'time_out' })
    await database.freezeClock(NOON + DAY)
    expect(await standing()).toMatchObject({ excludedBy, excludedUntil: null })
  })
})

describe('a break is shared with an account of the same person', () => {
  const timeOut = { kind: 'time_out', endsAt: NOON, endRequestedAt: null } as const
  const exclusion = {
    kind: 'self_exclusion',
    endsAt: NOON - 100 * HOUR,
    endRequestedAt: NOON - 24 * HOUR,
  } as const

  it.each([
    ['a time-out, until its last millisecond', timeOut, NOON - 1, String(NOON)],
    ['no time-out that is over', timeOut, NOON, null],
    [
      'a self-exclusion, without an end, until the player asks to return',
      { ...exclusion, endRequestedAt: null },
      NOON,
      'infinity',
    ],
    ['one whose player has asked, for a day from then', exclusion, NOON - 1, String(NOON)],
    ['no self-exclusion when that day is over', exclusion, NOON, null],
  ])('%s', async (_, { kind, endsAt, endRequestedAt }, at, until) => {
    const { owner } = database
    const [from, to] = [await addPlayer(database, { u: 0 }), await addPlayer(database, { u: 0 })]
    await owner.query(
      `insert into protection.exclusion (player_id, kind, began_at, ends_at, end_requested_at)
       select $1, $2, $3::timestamptz - interval '9000 hours', $3, $4`,
      [from, kind, new Date(endsAt), endRequestedAt === null ? null : new Date(endRequestedAt)],
    )
    const share = 'select protection.share_exclusion($1, $2, $3)'
    expect(await owner.value(share, [to, from, new Date(at)])).toBe(until !== null)
    expect(await excludedUntil(to)).toBe(until)
    const breaks = await owner.query('select from protection.exclusion where player_id = $1', [to])
    expect(breaks).toHaveLength(until === null ? 0 : 1)
  })
})

it('a shared self-exclusion is shown as what goes on until its end is requested, and then a time-out that ends later', async () => {
  const { playerId: from } = await stage()
  const { playerId, timeOut, standing, requestEnd } = await stage()
  const { owner } = database
  await owner.query(
    `insert into protection.exclusion (player_id, kind, began_at, ends_at)
     values ($1, 'self_exclusion', app.now() - interval '6 months', app.now() + interval '1 hour')`,
    [from],
  )
  expect(await timeOut('42 days')).toBe('begun')
  await owner.query('select protection.share_exclusion($1, $2, app.now())', [playerId, from])
  const shown = { excludedBy: 'self_exclusion', excludedUntil: null, mayAskFrom: NOON + HOUR }
  for (const at of [NOON, NOON + 60 * DAY]) {
    await database.freezeClock(at)
    expect(await standing()).toMatchObject(shown)
  }
  await database.freezeClock(NOON + HOUR)
  expect(await requestEnd()).toBe('end_requested')
  const end = NOON + 42 * DAY
  expect(await standing()).toMatchObject({ excludedBy: 'time_out', excludedUntil: end })
  await database.freezeClock(end)
  expect(await standing()).toMatchObject({ excludedBy: null })
})
