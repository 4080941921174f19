/**
 * Orders are placed once each, at the odds and with the money of their moment: beside others, beside a settlement, and
 * between changes that others make. Accepted bets are not affected by a change, waiting orders see it.
 */
import { describe, expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import {
  addPlayer,
  addPlayers,
  betOfEach,
  cashOf,
  drawTestRound,
  moveMoney,
  openTestRound,
  orderFor,
  placeAccepted,
  placeAfter,
  placeAll,
  settleTestRound,
} from '#testing/database/fixtures.ts'
import { answerAfter, somebodyWaits, withoutRetry } from '#testing/database/simultaneous-calls.ts'
import { eachTestDatabase, stopClock } from '#testing/database/test-database.ts'
import { staffToken } from '#testing/people/staff.ts'
import { heldUntilTheEnd } from '#testing/product/play-round.ts'
import type { OrderRow } from './place-bet.ts'
import { settleRound } from './round-bets.ts'

const { database, db, owner } = eachTestDatabase()

const U = 1_000_000n
const TODAY = '2026-11-20'

describe('placing orders', () => {
  it('takes the stake on each selection, fixes the odds and names the order', async () => {
    const round = await openTestRound(database)
    const player = await addPlayer(database, { u: 1_000 })
    const ruleIds = [413, 1, 11]
    await placeAccepted(database, [orderFor(player, round, { ruleIds, u: 100.25 })])
    expect(await cashOf(database, player)).toBe(1_000n * U - 300_750_000n)
    const [bet] = await owner.query<Record<string, unknown>>('select * from bets.bet')
    expect(bet).toMatchObject({
      rule_ids: ruleIds,
      // 0.96 x 1,000 / ways, cut to three decimals: 75, 500 and 231 ways.
      odds_milli: [12_800, 1_920, 4_155],
      stake: 100_250_000n,
      total: 300_750_000n,
      cash_after: 699_250_000n,
      status: 'accepted',
      order_no: expect.stringMatching(/^20261120\d{8}$/),
    })
    await expectAlwaysTrue(owner)
  })

  it('accepts exactly one of a hundred parallel bets on a balance for one', async () => {
    const round = await openTestRound(database)
    const player = await addPlayer(database, { u: 199 })
    const reasons = await Promise.all(
      Array.from({ length: 100 }, () => placeAll(database, [orderFor(player, round)])),
    )
    expect(reasons.flat().filter((reason) => reason === null)).toHaveLength(1)
    expect(reasons.flat().filter((reason) => reason === 'insufficient_balance')).toHaveLength(99)
    expect(await cashOf(database, player)).toBe(99n * U)
    await expectAlwaysTrue(owner)
  })

  it('keeps parallel batches of many players apart and every book right', async () => {
    const round = await openTestRound(database)
    const other = await openTestRound(database, { gameId: 2 })
    const players = await addPlayers(database, 10, { u: 300 })
    const batches = Array.from({ length: 6 }, (_, batch) =>
      placeAll(
        database,
        players.map((player, index) => orderFor(player, (index + batch) % 2 ? round : other)),
      ),
    )
    const reasons = (await Promise.all(batches)).flat()
    // Each has 300 u for three of the six bets of 100 u.
    expect(reasons.filter((reason) => reason === null)).toHaveLength(30)
    for (const player of players) expect(await cashOf(database, player)).toBe(0n)
    // The bets of a round are numbered in the order of their acceptance.
    const disordered = `select from (select accepted_at, max(accepted_at) over (partition by game_id order by id) as latest
      from bets.bet) as numbered where accepted_at < latest`
    expect(await owner.query(disordered)).toEqual([])
    await expectAlwaysTrue(owner)
  })
})

/** A round of the first game whose bets on long have won, and a running one of the second. */
async function drawnAndRunning(players: number) {
  await stopClock(database)
  const drawn = await openTestRound(database)
  const winners = await addPlayers(database, players)
  await betOfEach(database, drawn, winners)
  return { drawn, winners }
}

/** The reasons of the answers to a batch, which is sent once, even if the database aborts it. */
async function placedOnce(orders: Omit<OrderRow, 'ord'>[]) {
  const batch = JSON.stringify(orders.map((order, ord) => ({ ...order, ord })))
  const placed = await withoutRetry(db).query<{ reason: string | null }>(
    'select reason from bets.place($1) order by ord',
    [batch],
  )
  return placed.map(({ reason }) => reason)
}

describe("a stale order in one batch with a winner's", () => {
  it('is judged while the round is settled, and is no deadlock', async () => {
    const { drawn, winners } = await drawnAndRunning(2)
    const [first, second] = winners as [number, number]
    const late = await addPlayer(database)
    await drawTestRound(database, drawn, [9, 9, 9])
    const running = await openTestRound(database, { gameId: 2 })

    const orders = [orderFor(late, drawn), orderFor(first, running)]
    const { settling } = await owner.transaction(async (tx) => {
      // The settlement holds the first winner's balance now, and waits for the second's.
      await tx.query('select from ledger.balance where holder_id = $1 for update', [second])
      const settle = 'select bets.settle(1::smallint, $1, 5000, $2)'
      const settling = withoutRetry(db).query(settle, [drawn.issue, TODAY])
      await somebodyWaits(database)
      expect(await placedOnce(orders)).toEqual(['round_sealed', 'busy'])
      return { settling }
    })
    await settling
    expect(await placedOnce(orders)).toEqual(['round_sealed', null])
    await expectAlwaysTrue(owner)
  })

  it('runs beside bets without a deadlock, and every book is right', async () => {
    const { drawn, winners } = await drawnAndRunning(60)
    const late = await addPlayer(database)
    await drawTestRound(database, drawn, [9, 9, 9])
    const running = await openTestRound(database, { gameId: 2 })
    const settling = async () => {
      const settle = 'select bets.settle(1::smallint, $1, 3, $2) as done'
      for (let done = 3; done === 3; ) {
        done = await withoutRetry(db).value<number>(settle, [drawn.issue, TODAY])
      }
    }
    const placing = async (player: number) => {
      const orders = [orderFor(late, drawn), orderFor(player, running)]
      for (;;) {
        const reasons = await placedOnce(orders)
        if (reasons[1] !== 'busy') return reasons
      }
    }
    const [, , ...placed] = await Promise.all([settling(), settling(), ...winners.map(placing)])
    expect(placed).toEqual(winners.map(() => ['round_sealed', null]))
    expect(await settleRound(db, drawn, TODAY)).toBe(0)
    for (const player of winners) expect(await cashOf(database, player)).toBe(992n * U)
    await expectAlwaysTrue(owner)
  })
})

/** A player, and an order of his for a running round. */
async function atTheTable({ u = 1_000 }: { u?: number } = {}) {
  const round = await openTestRound(database)
  const player = await addPlayer(database, { u })
  return { round, player, order: orderFor(player, round) }
}

/** What another transaction does meanwhile, by the player and a session of staff. */
type Change = (player: number, session: string) => [text: string, values: unknown[]]

const NOTE = `select protection.note_mark($1, 'card', array[sha256('card')], 'test')`

describe('a bet that was accepted', () => {
  it('is paid at the odds that it was accepted at, whatever they are when it is settled', async () => {
    const { round, player, order } = await atTheTable()
    const setOdds = (ruleId: number, milli: number) =>
      owner.query('update games.odds set odds_milli = $2 where room_id = 11 and rule_id = $1', [
        ruleId,
        milli,
      ])
    await setOdds(1, 1_700)
    await owner.query('update games.room set rules_version = 2 where id = 11')
    await placeAccepted(database, [{ ...order, rule_ids: [1, 3] }])
    expect(await owner.query('select odds_milli, rules_version from bets.bet')).toEqual([
      { odds_milli: [1_700, 1_920], rules_version: 2 },
    ])
    await setOdds(1, 1_600)
    await setOdds(3, 1_990)
    await settleTestRound(database, round)
    expect(await cashOf(database, player)).toBe(800n * U + 170n * U + 192n * U)
    await expectAlwaysTrue(owner)
  })

  it('stays accepted when limits, stops and the greatest payout are changed after it', async () => {
    const { round, player, order } = await atTheTable()
    await placeAccepted(database, [order])
    await owner.query(
      `update games.room set stake_min = 500000000, entry_min = 900000000000, stopped = true where id = 11`,
    )
    await owner.query('update games.house set stopped = true, payout_max = 1')
    await settleTestRound(database, round)
    expect(await cashOf(database, player)).toBe(900n * U + 192n * U)
    await expectAlwaysTrue(owner)
  })
})

describe('an order that waits for', () => {
  it.each<[string, Change, string]>([
    [
      'a freeze',
      (player, session) => [`select staff.freeze_player($1, 'asked about', $2)`, [player, session]],
      'account_locked',
    ],
    [
      'a break',
      (player) => [`select protection.exclude($1, 'time_out', '24 hours')`, [player]],
      'excluded',
    ],
    [
      'a limit below its stake',
      (player) => [`select protection.set_limit($1, 'stake', 'day', 99999999)`, [player]],
      'limit_reached',
    ],
    ['a likeness to an excluded player', (player) => [NOTE, [player]], 'under_review'],
  ])('%s that is not committed yet is refused after it', async (_what, change, expected) => {
    const { player, order } = await atTheTable()
    const excluded = await addPlayer(database)
    await owner.query(NOTE, [excluded])
    await owner.query(`select protection.exclude($1, 'self_exclusion', '6 months')`, [excluded])
    const session = await staffToken(database)
    const reason = await placeAfter(database, order, (tx) => tx.query(...change(player, session)))
    expect(reason).toBe(expected)
    expect(await owner.query('select from bets.bet')).toEqual([])
    await expectAlwaysTrue(owner)
  })

  it('a withdrawal that is not committed yet sees the remaining balance', async () => {
    const { player, order } = await atTheTable({ u: 250 })
    const withdrawal = { playerId: player, micro: 151_000_000n, reference: 'test' }
    // 99 u are left, and 100 are needed to be in the room.
    expect(await placeAfter(database, order, (tx) => moveMoney(tx, 'withdrawal', withdrawal))).toBe(
      'below_entry',
    )
    expect(await cashOf(database, player)).toBe(99n * U)
  })

  it('the seal finds the round sealed, although it was sent before the time', async () => {
    const { round, order } = await atTheTable()
    await database.freezeClock(round.sealsAt)
    const reasons = await answerAfter(database, {
      async first(tx) {
        await tx.query('select bets.seal(1::smallint, $1)', [round.issue])
        await database.freezeClock(round.sealsAt - 1)
      },
      second: () => placeAll(database, [order]),
    })
    expect(reasons).toEqual(['round_sealed'])
    await expectAlwaysTrue(owner)
  })

  it('its round past the seal is judged by the time at which it gets it', async () => {
    const { round, order } = await atTheTable()
    const placing = () => placeAll(database, [order])
    expect(await heldUntilTheEnd(database, round, placing, round.sealsAt)).toEqual(['round_sealed'])
  })

  it('the balances is refused if its round opens meanwhile: it has not locked that round', async () => {
    const { order } = await atTheTable()
    const other = await addPlayer(database)
    const opening = { gameId: 2, issue: '20261120777' }
    const early = orderFor(other, { ...opening, opensAt: 0, sealsAt: 0, drawsAt: 0 })
    const reasons = await answerAfter(database, {
      first: (tx) => tx.query('lock table ledger.balance in exclusive mode'),
      second: () => placeAll(database, [order, early]),
      whileWaiting: () => openTestRound(database, opening),
    })
    expect(reasons).toEqual([null, 'round_closed'])
    expect(await cashOf(database, other)).toBe(1_000n * U)
    await expectAlwaysTrue(owner)
  })
})
