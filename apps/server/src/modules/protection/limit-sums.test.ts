/** The sums of a player's periods and of his session, which his limits are compared with: each as an exact number. */
import { describe, expect, it } from 'vitest'
import { addPlayer } from '#testing/database/fixtures.ts'
import { shareTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { limitsNow, setLimit } from './protection-store.ts'
import { writeProtectionTerms } from './protection-terms.ts'

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

async function stage() {
  await database.freezeClock(NOON)
  const terms = { timeZone: 'Asia/Singapore', sessionBreakMs: HOUR / 2, checkEveryMs: HOUR }
  await database.owner.transaction((tx) => writeProtectionTerms(tx, { ...terms, limits: [] }))
  return { database, playerId: await addPlayer(database, { u: 0 }) }
}

/** The answer of one expression, as text. */
async function answer({ owner }: TestDatabase, expression: string, values: unknown[] = []) {
  return owner.value<string | null>(`select (${expression})::text as answer`, values)
}

describe('of a player’s limits', () => {
  /** He has staked 30, got back 10 and deposited 50 in each of the present periods. */
  async function spender() {
    const { database, playerId } = await stage()
    await database.owner.query(
      `update protection.player set starts = $2, staked = '{30,30,30}', paid_out = '{10,10,10}',
         deposited = '{50,50,50}' where player_id = $1`,
      [playerId, STARTS],
    )
    const limit = (kind: string, period: string, amount: number | null) =>
      database.owner.query(
        'insert into protection.player_limit (player_id, kind, period, amount, set_at) values ($1, $2, $3, $4, app.now())',
        [playerId, kind, period, amount],
      )
    const passed = async (kinds: string, more: number, now = STARTS) =>
      await database.owner.column<string>(
        `select concat_ws(' ', kind, period, amount, spent, began) as line
           from protection.limits_passed($1, $2, $3, $4) order by kind, period_index`,
        [playerId, kinds, more, now],
      )
    const exceeded = (kinds: string, more: number) =>
      answer(
        database,
        `select facts #>> '{limit}' || ' ' || (facts #>> '{period}') || ', left ' || (facts #>> '{left}')
           || ', anew ' || (facts #>> '{begins_at}')
         from protection.limit_exceeded($1, $2, $3, '${STARTS}') facts`,
        [playerId, kinds, more],
      )
    return { database, playerId, limit, passed, exceeded }
  }

  it('those are passed that an amount more would exceed, and not those that it reaches', async () => {
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
  })

  it('none is passed by what was spent in an earlier period', async () => {
    const { limit, passed } = await spender()
    await limit('stake', 'day', 40)
    const tomorrow = '{2026-11-21,2026-11-16,2026-11-01}'
    expect(await passed('{stake}', 40, tomorrow)).toEqual([])
    expect(await passed('{stake}', 41, tomorrow)).toEqual(['stake day 40 0 2026-11-21'])
  })

  it('the one with the least left is told, with no less than nothing left', async () => {
    const { limit, exceeded } = await spender()
    await limit('stake', 'day', 100)
    await limit('loss', 'week', 85)
    expect(await exceeded('{stake,loss}', 65)).toBeNull()
    const weekEnds = String(Date.UTC(2026, 10, 22, 16) / 1_000)
    // 70 are left of the stakes, and 65 of the losses.
    expect(await exceeded('{stake,loss}', 71)).toBe(`loss week, left 65, anew ${weekEnds}`)
    await limit('loss', 'month', 15)
    const monthEnds = String(Date.UTC(2026, 10, 30, 16) / 1_000)
    expect(await exceeded('{stake,loss}', 71)).toBe(`loss month, left 0, anew ${monthEnds}`)
  })

  it('the one with less left is told even if its own amount is the greater', async () => {
    const { database, playerId, limit, exceeded } = await spender()
    await database.owner.query(
      `update protection.player set staked = '{30,530,530}' where player_id = $1`,
      [playerId],
    )
    await limit('stake', 'day', 100)
    await limit('stake', 'week', 599)
    expect(await exceeded('{stake}', 71)).toMatch(/^stake week, left 69,/)
  })

  it('the one that begins anew last is told if two have the same left', async () => {
    const { limit, exceeded } = await spender()
    for (const period of ['day', 'month', 'week']) await limit('stake', period, 40)
    expect(await exceeded('{stake}', 11)).toMatch(/^stake month, left 10,/)
  })

  it('one that he has removed is none, and the lowest of the others applies', async () => {
    const { database, playerId, limit, passed } = await spender()
    await limit('stake', 'day', null)
    const day = async () =>
      (await limitsNow(database.db, playerId)).find(
        ({ kind, period }) => kind === 'stake' && period === 'day',
      )
    expect(await day()).toMatchObject({ ownAmount: null, amount: null, source: null })
    expect(await passed('{stake}', 1_000)).toEqual([])
    await database.owner.query(
      `insert into protection.house_limit values ('law', 'stake', 'day', 45), ('operator', 'stake', 'day', 50)`,
    )
    expect(await day()).toMatchObject({ ownAmount: null, amount: 45n, source: 'law', used: 30n })
    expect(await passed('{stake}', 15)).toEqual([])
    expect(await passed('{stake}', 16)).toEqual(['stake day 45 30 2026-11-20'])
  })

  it('each is shown with its own amount, the lowest that applies and what is used of it', async () => {
    const { database, playerId } = await spender()
    await database.owner.query(
      `update protection.player set staked = '{31,32,33}', paid_out = '{11,13,15}', deposited = '{51,52,53}'
       where player_id = $1`,
      [playerId],
    )
    let own = 1_000n
    for (const kind of ['deposit', 'loss', 'stake'] as const) {
      for (const period of ['day', 'week', 'month'] as const) {
        own += 1n
        await setLimit(database.db, { playerId, kind, period, amount: own })
      }
    }
    await database.owner.query(
      `insert into protection.house_limit values ('operator', 'loss', 'week', 1005), ('law', 'stake', 'month', 900)`,
    )
    const lines = (await limitsNow(database.db, playerId)).map(
      ({ kind, period, ownAmount, amount, source, used }) =>
        `${kind} ${period}: own ${ownAmount}, ${amount} of ${source}, used ${used}`,
    )
    expect(lines).toEqual([
      'deposit day: own 1001, 1001 of player, used 51',
      'deposit week: own 1002, 1002 of player, used 52',
      'deposit month: own 1003, 1003 of player, used 53',
      'loss day: own 1004, 1004 of player, used 20',
      // The operator's is the same: the player's own is named.
      'loss week: own 1005, 1005 of player, used 19',
      'loss month: own 1006, 1006 of player, used 18',
      'stake day: own 1007, 1007 of player, used 31',
      'stake week: own 1008, 1008 of player, used 32',
      'stake month: own 1009, 900 of law, used 33',
    ])
  })
})

describe('what is counted', () => {
  type Sums = { starts: string; staked: string; paid_out: string; deposited: string }

  async function counter() {
    const { database, playerId } = await stage()
    const sums = () =>
      database.owner.one<Sums>(
        `select starts::text, staked::text, paid_out::text, deposited::text
         from protection.player where player_id = $1`,
        [playerId],
      )
    const session = () =>
      database.owner.one<{ staked: bigint; paidOut: bigint }>(
        `select session_staked as staked, session_paid_out as "paidOut",
           session_began_at as "beganAt", session_active_at as "activeAt", checked_at as "checkedAt"
         from protection.player where player_id = $1`,
        [playerId],
      )
    const stake = (amount: number, at: number) =>
      database.owner.query(
        'select protection.count_stakes(array[$1::integer], array[$2::bigint], $3)',
        [playerId, amount, new Date(at)],
      )
    const settled = (bets: { at: number; refunded?: number; paid?: number }[]) =>
      database.owner.query('select protection.count_settled($1, $2, $3, $4)', [
        bets.map(() => playerId),
        bets.map(({ at }) => new Date(at)),
        bets.map(({ refunded = 0 }) => refunded),
        bets.map(({ paid = 0 }) => paid),
      ])
    return { database, playerId, sums, session, stake, settled }
  }

  it('of a deposit: the sum of several of one player', async () => {
    const { database, playerId, sums } = await counter()
    await database.owner.query(
      `select protection.count_deposits(array(
         select row($1, '2026-11-20', amount, 'test:' || amount)::wallet.movement
         from unnest(array[10, 5]) amount), $2)`,
      [playerId, new Date(NOON)],
    )
    expect(await sums()).toMatchObject({ starts: STARTS, deposited: '{15,15,15}' })
  })

  it('of a payout, or of a refund: it counts for the periods in which its bet was accepted, from their first instant on', async () => {
    const { sums, stake, settled } = await counter()
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
    const { session, stake, settled } = await counter()
    await stake(1_000, NOON)
    await settled([
      { at: NOON - 1, paid: 1 },
      { at: NOON, paid: 2 },
      { at: NOON + 1, paid: 4 },
    ])
    expect(await session()).toMatchObject({ staked: 1_000n, paidOut: 6n })
    await settled([
      { at: NOON - 1, refunded: 1 },
      { at: NOON, refunded: 2 },
      { at: NOON + 1, refunded: 4 },
    ])
    expect(await session()).toMatchObject({ staked: 994n, paidOut: 6n })
  })

  it('a session goes on with a bet until half an hour after the one before, and not from then on', async () => {
    const { session, stake, settled } = await counter()
    await stake(10, NOON)
    await settled([{ at: NOON, paid: 3 }])
    const last = NOON + HOUR / 2 - 1
    await stake(20, last)
    expect(await session()).toEqual({
      staked: 30n,
      paidOut: 3n,
      beganAt: NOON,
      activeAt: last,
      checkedAt: NOON,
    })
    const next = last + HOUR / 2
    await stake(40, next)
    expect(await session()).toEqual({
      staked: 40n,
      paidOut: 0n,
      beganAt: next,
      activeAt: next,
      checkedAt: next,
    })
  })

  it('a bet of a clock that was set back does not make the session end earlier', async () => {
    const { session, stake } = await counter()
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
    const told = await answer(database, 'protection.seconds_of($1::timestamptz)', [moment])
    expect(told, moment).toBe(String(NOON / 1_000 + more))
  }
})
