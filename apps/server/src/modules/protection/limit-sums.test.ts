/** The sums of a player's periods and of his session, which his limits are compared with: each as an exact number. */
import { describe, expect, it } from 'vitest'
import { addPlayer } from '#testing/database/fixtures.ts'
import { shareTestDatabase } from '#testing/database/test-database.ts'
import { limitsNow, setLimit } from './protection-store.ts'
import { readHouseLimits, writeProtectionTerms } from './protection-terms.ts'

const HOUR = 3_600_000
/** Noon of Friday, 20 November 2026, in Singapore. */
const NOON = Date.UTC(2026, 10, 20, 4)
/** The beginnings of the day, the week and the month there. */
const [DAY_BEGAN, WEEK_BEGAN, MONTH_BEGAN] = [
  Date.UTC(2026, 10, 19, 16),
  Date.UTC(2026, 10, 15, 16),
  Date.UTC(2026, 9, 31, 16),
]
const STARTS = '{2026-11-20,2026-11-16,2026-11-01}'

const database = shareTestDatabase()

/** A player of a house without limits, and the calls about him. */
async function stage(timeZone = 'Asia/Singapore') {
  const { owner } = database
  await database.freezeClock(NOON)
  const terms = { timeZone, sessionBreakMs: HOUR / 2, checkEveryMs: HOUR, limits: [] }
  await owner.transaction((tx) => writeProtectionTerms(tx, terms))
  const playerId = await addPlayer(database, { u: 0 })
  return {
    playerId,
    set: (columns: string) =>
      owner.query(`update protection.player set ${columns} where player_id = $1`, [playerId]),
    stake: (amount: number, at: number) =>
      owner.query('select protection.count_stakes(array[$1::integer], array[$2::bigint], $3)', [
        ...[playerId, amount, new Date(at)],
      ]),
    settled: (bets: { at: number; refunded?: number; paid?: number }[]) =>
      owner.query('select protection.count_settled($1, $2, $3, $4)', [
        bets.map(() => playerId),
        bets.map(({ at }) => new Date(at)),
        bets.map(({ refunded = 0 }) => refunded),
        bets.map(({ paid = 0 }) => paid),
      ]),
    /** Why a stake of 100 would be refused. */
    refusal: async (at: number) =>
      (
        await owner.column<string>(
          `select reason from protection.judge_stakes(array[$1::integer], '{100}', $2)`,
          [playerId, new Date(at)],
        )
      )[0],
    sums: () =>
      owner.one<object>(
        `select starts::text, staked::text, paid_out::text, deposited::text
         from protection.player where player_id = $1`,
        [playerId],
      ),
    session: () =>
      owner.one<object>(
        `select session_staked as staked, session_paid_out as "paidOut",
           session_began_at as "beganAt", session_active_at as "activeAt", checked_at as "checkedAt"
         from protection.player where player_id = $1`,
        [playerId],
      ),
  }
}

describe('a limit', () => {
  it.each([
    ['day', 'Asia/Singapore', Date.UTC(2026, 10, 20, 16)],
    ['week', 'Asia/Singapore', Date.UTC(2026, 10, 22, 16)],
    ['month', 'Asia/Singapore', Date.UTC(2026, 10, 30, 16)],
    // The night in which the clock goes back, in summer time until 2:00, and the one in which it goes on.
    ['day', 'America/New_York', Date.UTC(2026, 10, 1, 4)],
    ['day', 'America/New_York', Date.UTC(2026, 10, 2, 5)],
    ['week', 'Pacific/Auckland', Date.UTC(2026, 8, 27, 11)],
    ['month', 'America/New_York', Date.UTC(2026, 11, 1, 5)],
  ] as const)(
    'of a %s in %s begins anew at its end, and not 1 ms before',
    async (period, timeZone, end) => {
      const { playerId, stake, refusal } = await stage(timeZone)
      await setLimit(database.db, { playerId, kind: 'stake', period, amount: 150n })
      await stake(100, end - HOUR)
      expect(await refusal(end - 1)).toBe('limit_reached')
      expect(await refusal(end)).toBeUndefined()
      await stake(100, end)
      expect(await refusal(end + 1)).toBe('limit_reached')
    },
  )

  it.each([
    ['deposit day', /amount/],
    ['deposit year 5', /deposit, loss or stake, then day, week or month/],
    ['loss day 1.234', /amount/],
    ['loss day -5', /amount/],
    ['loss day 5 6', /deposit, loss or stake/],
    ['loss day 5, loss day 6', /twice/],
  ])('configured as ‘%s’ is refused with what is wrong', (text, fault) => {
    expect(() => readHouseLimits('law', text)).toThrow(fault)
  })
})

describe('of a player’s limits', () => {
  /** He has staked 30, got back 10 and deposited 50 in each of the present periods. */
  async function spender() {
    const { playerId, set } = await stage()
    await set(
      `starts = '${STARTS}', staked = '{30,30,30}', paid_out = '{10,10,10}', deposited = '{50,50,50}'`,
    )
    const limit = (kind: string, period: string, amount: number | null) =>
      database.owner.query(
        'insert into protection.player_limit (player_id, kind, period, amount, set_at) values ($1, $2, $3, $4, app.now())',
        [playerId, kind, period, amount],
      )
    const passed = (kinds: string, more: number, now = STARTS) =>
      database.owner.column<string>(
        `select concat_ws(' ', kind, period, amount, spent, began) as line
         from protection.limits_passed($1, $2, $3, $4) order by kind, period_index`,
        [playerId, kinds, more, now],
      )
    const exceeded = (kinds: string, more: number) =>
      database.owner.value<string | null>(
        `select facts ->> 'limit' || ' ' || (facts ->> 'period') || ', left ' || (facts ->> 'left')
           || ', anew ' || (facts ->> 'begins_at')
         from protection.limit_exceeded($1, $2, $3, '${STARTS}') facts`,
        [playerId, kinds, more],
      )
    return { playerId, set, limit, passed, exceeded }
  }

  it('those are passed that an amount more would exceed in this period, and not those that it reaches', async () => {
    const { limit, passed } = await spender()
    await limit('stake', 'day', 40)
    await limit('loss', 'week', 30)
    await limit('deposit', 'month', 60)
    expect(await passed('{stake,loss,deposit}', 10)).toEqual([])
    expect(await passed('{stake}', 11)).toEqual(['stake day 40 30 2026-11-20'])
    expect(await passed('{stake,loss}', 11)).toEqual([
      'loss week 30 20 2026-11-16',
      'stake day 40 30 2026-11-20',
    ])
    expect(await passed('{deposit}', 11)).toEqual(['deposit month 60 50 2026-11-01'])
    const tomorrow = '{2026-11-21,2026-11-16,2026-11-01}'
    expect(await passed('{stake}', 40, tomorrow)).toEqual([])
    expect(await passed('{stake}', 41, tomorrow)).toEqual(['stake day 40 0 2026-11-21'])
  })

  it('the one with the least left is told, with no less than nothing left; of two the one that begins anew last', async () => {
    const { set, limit, exceeded } = await spender()
    await limit('stake', 'day', 100)
    await limit('loss', 'week', 85)
    expect(await exceeded('{stake,loss}', 65)).toBeNull()
    const [weekEnds, monthEnds] = [22, 30].map((day) => Date.UTC(2026, 10, day, 16) / 1_000)
    // 70 are left of the stakes, and 65 of the losses.
    expect(await exceeded('{stake,loss}', 71)).toBe(`loss week, left 65, anew ${weekEnds}`)
    await limit('stake', 'month', 100)
    expect(await exceeded('{stake}', 71)).toBe(`stake month, left 70, anew ${monthEnds}`)
    await limit('loss', 'month', 15)
    expect(await exceeded('{stake,loss}', 71)).toBe(`loss month, left 0, anew ${monthEnds}`)
    // Also if its own amount is the greater.
    await limit('stake', 'week', 599)
    await set(`staked = '{30,530,30}'`)
    expect(await exceeded('{stake}', 71)).toMatch(/^stake week, left 69,/)
  })

  it('each is shown with its own amount, the lowest that applies and what is used of it', async () => {
    const { playerId, set, limit, passed } = await spender()
    await set(`staked = '{31,32,33}', paid_out = '{11,13,15}', deposited = '{51,52,53}'`)
    await limit('loss', 'week', 1_005)
    await limit('stake', 'month', 1_009)
    await limit('stake', 'week', 1_008)
    // Two that he has removed.
    for (const kind of ['loss', 'stake']) await limit(kind, 'day', null)
    expect(await passed('{stake}', 900)).toEqual([])
    await database.owner.query(
      `insert into protection.house_limit values ('operator', 'loss', 'week', 1005), ('law', 'stake', 'month', 900),
         ('law', 'stake', 'day', 45), ('operator', 'stake', 'day', 50)`,
    )
    const lines = (await limitsNow(database.db, playerId)).map(
      ({ kind, period, ownAmount, amount, source, used }) =>
        `${kind} ${period}: own ${ownAmount}, ${amount} of ${source}, used ${used}`,
    )
    expect(lines).toEqual([
      'deposit day: own null, null of null, used 51',
      'deposit week: own null, null of null, used 52',
      'deposit month: own null, null of null, used 53',
      'loss day: own null, null of null, used 20',
      // The operator's is the same: the player's own is named.
      'loss week: own 1005, 1005 of player, used 19',
      'loss month: own null, null of null, used 18',
      'stake day: own null, 45 of law, used 31',
      'stake week: own 1008, 1008 of player, used 32',
      'stake month: own 1009, 900 of law, used 33',
    ])
    expect(await passed('{stake}', 14)).toEqual([])
    expect(await passed('{stake}', 15)).toEqual(['stake day 45 31 2026-11-20'])
  })
})

describe('what is counted', () => {
  it('of a deposit: the sum of several of one player', async () => {
    const { playerId, sums } = await stage()
    await database.owner.query(
      `select protection.count_deposits(array(
         select row($1, '2026-11-20', amount, 'test:' || amount)::wallet.movement
         from unnest(array[10, 5]) amount), $2)`,
      [playerId, new Date(NOON)],
    )
    expect(await sums()).toMatchObject({ starts: STARTS, deposited: '{15,15,15}' })
  })

  it('of a payout, or of a refund: it counts for the periods in which its bet was accepted, from their first instant on', async () => {
    const { sums, stake, settled } = await stage()
    const moments = [
      ...[MONTH_BEGAN - 1, MONTH_BEGAN, WEEK_BEGAN - 1, WEEK_BEGAN],
      ...[DAY_BEGAN - 1, DAY_BEGAN, NOON],
    ]
    await stake(1_000, NOON)
    await settled([...moments.map((at, place) => ({ at, paid: 2 ** place })), { at: NOON }])
    const paidOut = '{96,120,126}'
    expect(await sums()).toMatchObject({ staked: '{1000,1000,1000}', paid_out: paidOut })
    await settled(moments.map((at, place) => ({ at, refunded: 2 ** place })))
    expect(await sums()).toMatchObject({ staked: '{904,880,874}', paid_out: paidOut })
  })

  it('of a session: the payouts and refunds of its own bets, from its first bet on', async () => {
    const { session, stake, settled } = await stage()
    await stake(1_000, NOON)
    const moments = [NOON - 1, NOON, NOON + 1]
    await settled(moments.map((at, place) => ({ at, paid: 2 ** place })))
    expect(await session()).toMatchObject({ staked: 1_000n, paidOut: 6n })
    await settled(moments.map((at, place) => ({ at, refunded: 2 ** place })))
    expect(await session()).toMatchObject({ staked: 994n, paidOut: 6n })
  })

  it('a session goes on with a bet until half an hour after the one before, and not from then on', async () => {
    const { session, stake, settled } = await stage()
    await stake(10, NOON)
    await settled([{ at: NOON, paid: 3 }])
    const last = NOON + HOUR / 2 - 1
    await stake(20, last)
    const times = { beganAt: NOON, activeAt: last, checkedAt: NOON }
    expect(await session()).toEqual({ staked: 30n, paidOut: 3n, ...times })
    const next = last + HOUR / 2
    await stake(40, next)
    const anew = { beganAt: next, activeAt: next, checkedAt: next }
    expect(await session()).toEqual({ staked: 40n, paidOut: 0n, ...anew })
  })

  it('a bet of a clock that was set back does not make the session end earlier', async () => {
    const { session, stake } = await stage()
    await stake(10, NOON)
    await stake(10, NOON - HOUR)
    expect(await session()).toMatchObject({ staked: 20n, beganAt: NOON, activeAt: NOON })
  })
})

it('a moment is told in seconds, rounded up from its milliseconds as in other replies', async () => {
  for (const [fraction, more] of [
    ['', 0],
    ['.000999', 0],
    ['.001', 1],
    ['.999999', 1],
  ] as const) {
    const moment = `2026-11-20T04:00:00${fraction}Z`
    const told = await database.owner.value('select protection.seconds_of($1)', [moment])
    expect(told, moment).toBe(String(NOON / 1_000 + more))
  }
})
