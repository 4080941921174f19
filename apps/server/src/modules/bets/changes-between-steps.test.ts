/** Changes between two steps of a bet: accepted bets are not affected, waiting ones see the change. */
import { describe, expect, it } from 'vitest'
import { placeOrders } from '#src/modules/bets/place-bet.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import {
  addPlayer,
  cashOf,
  drawTestRound,
  openTestRound,
  orderFor,
  placeAll,
} from '#testing/database/fixtures.ts'
import { somebodyWaits } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { staffToken } from '#testing/people/staff.ts'
import { settleRound } from './round-bets.ts'

const U = 1_000_000n
const TODAY = '2026-11-20'

/** A player, and an order of his for a running round. */
async function atTheTable({ u = 1_000 }: { u?: number } = {}) {
  const database = await createTestDatabase()
  const round = await openTestRound(database)
  const player = await addPlayer(database, { u })
  return { database, round, player, order: orderFor(player, round) }
}

/** Places an order during an uncommitted change; commits the change when the order waits for it. */
async function placedDuring(
  { owner, db }: TestDatabase,
  order: ReturnType<typeof orderFor>,
  change: { text: string; values?: unknown[] },
): Promise<string | null | undefined> {
  const { placing } = await owner.transaction(async (tx) => {
    await tx.query(change.text, change.values)
    const placing = placeOrders(db, [{ ...order, ord: 0 }])
    await somebodyWaits({ owner })
    return { placing }
  })
  return (await placing)[0]?.reason
}

describe('a bet that was accepted', () => {
  it('is paid at the odds that it was accepted at, whatever they are when it is settled', async () => {
    const { database, round, player, order } = await atTheTable()
    expect(await placeAll(database, [{ ...order, rule_ids: [1, 3] }])).toEqual([null])
    await database.owner.query(
      'update games.odds set odds_milli = 1600 where room_id = 11 and rule_id = 1',
    )
    await database.owner.query(
      'update games.odds set odds_milli = 1990 where room_id = 11 and rule_id = 3',
    )
    await drawTestRound(database, round, [9, 9, 9])
    await settleRound(database.db, round, TODAY)
    expect(await cashOf(database, player)).toBe(800n * U + 192n * U + 192n * U)
    await expectAlwaysTrue(database.owner)
  })

  it('stays accepted when limits, stops and the greatest payout are changed after it', async () => {
    const { database, round, player, order } = await atTheTable()
    expect(await placeAll(database, [order])).toEqual([null])
    await database.owner.query(
      `update games.room set stake_min = 500000000, entry_min = 900000000000, stopped = true where id = 11`,
    )
    await database.owner.query('update games.house set stopped = true, payout_max = 1')
    await drawTestRound(database, round, [9, 9, 9])
    await settleRound(database.db, round, TODAY)
    expect(await cashOf(database, player)).toBe(900n * U + 192n * U)
    await expectAlwaysTrue(database.owner)
  })
})

describe('an order that waits for', () => {
  it('a freeze that is not committed yet is refused after it', async () => {
    const { database, player, order } = await atTheTable()
    const token = await staffToken(database)
    const reason = await placedDuring(database, order, {
      text: 'select staff.freeze_player($1, $2, $3)',
      values: [player, 'asked about', token],
    })
    expect(reason).toBe('account_locked')
    expect(await cashOf(database, player)).toBe(1_000n * U)
    await expectAlwaysTrue(database.owner)
  })

  it('a break that is not committed yet is refused after it', async () => {
    const { database, player, order } = await atTheTable()
    const reason = await placedDuring(database, order, {
      text: `select protection.exclude($1, 'time_out', '24 hours')`,
      values: [player],
    })
    expect(reason).toBe('excluded')
    expect(await cashOf(database, player)).toBe(1_000n * U)
    await expectAlwaysTrue(database.owner)
  })

  it('a limit that is not committed yet is refused beyond it', async () => {
    const { database, player, order } = await atTheTable()
    const reason = await placedDuring(database, order, {
      text: `select protection.set_limit($1, 'stake', 'day', $2)`,
      values: [player, 100n * U - 1n],
    })
    expect(reason).toBe('limit_reached')
    expect(await cashOf(database, player)).toBe(1_000n * U)
    await expectAlwaysTrue(database.owner)
  })

  it('a likeness to an excluded player that is not committed yet is refused after it', async () => {
    const { database, player, order } = await atTheTable()
    const other = await addPlayer(database)
    const note = `select protection.note_mark($1, 'card', array[sha256('card')], 'test')`
    await database.owner.query(note, [other])
    await database.owner.query(`select protection.exclude($1, 'self_exclusion', '6 months')`, [
      other,
    ])
    const reason = await placedDuring(database, order, { text: note, values: [player] })
    expect(reason).toBe('under_review')
    expect(await cashOf(database, player)).toBe(1_000n * U)
    await expectAlwaysTrue(database.owner)
  })

  it('a withdrawal that is not committed yet sees the remaining balance', async () => {
    const { database, player, order } = await atTheTable({ u: 250 })
    const reason = await placedDuring(database, order, {
      text: `select wallet.move('withdrawal', array[row($1, '${TODAY}', 151000000, 'test')::wallet.movement])`,
      values: [player],
    })
    // 99 u are left, and 100 are needed to be in the room.
    expect(reason).toBe('below_entry')
    expect(await cashOf(database, player)).toBe(99n * U)
  })

  it.each([
    ['room', 11, 'room_stopped'],
    ['game', 1, 'room_stopped'],
    ['all', 0, 'games_stopped'],
  ])(
    'a stop of the %s that is not committed yet is refused after it',
    async (scope, id, expected) => {
      const { database, player, order } = await atTheTable()
      const token = await staffToken(database)
      const reason = await placedDuring(database, order, {
        text: `select games.stop_betting($1, $2, 'maintenance', null, $3)`,
        values: [scope, id, token],
      })
      expect(reason).toBe(expected)
      expect(await cashOf(database, player)).toBe(1_000n * U)
    },
  )

  it('the seal finds the round sealed, although it was sent before the time', async () => {
    const { database, round, player, order } = await atTheTable()
    await database.freezeClock(round.sealsAt)
    const { placing } = await database.owner.transaction(async (tx) => {
      await tx.query('select bets.seal(1::smallint, $1)', [round.issue])
      await database.freezeClock(round.sealsAt - 1)
      const placing = placeAll(database, [order])
      await somebodyWaits(database)
      return { placing }
    })
    expect(await placing).toEqual(['round_sealed'])
    expect(await cashOf(database, player)).toBe(1_000n * U)
    await expectAlwaysTrue(database.owner)
  })

  it('its round past the seal is judged by the time at which it gets it', async () => {
    const { database, round, player, order } = await atTheTable()
    await database.freezeClock(round.sealsAt - 1)
    const { placing } = await database.owner.transaction(async (tx) => {
      await tx.query('select from rounds.round for no key update')
      const placing = placeAll(database, [order])
      await somebodyWaits(database)
      await database.freezeClock(round.sealsAt)
      return { placing }
    })
    expect(await placing).toEqual(['round_sealed'])
    expect(await cashOf(database, player)).toBe(1_000n * U)
  })

  it('another order’s balance is refused if its round opens meanwhile: it has not locked that round', async () => {
    const { database, player, order } = await atTheTable()
    const other = await addPlayer(database)
    const opening = { gameId: 2, issue: '20261120777' }
    const { placing } = await database.owner.transaction(async (tx) => {
      await tx.query('select from ledger.balance where holder_id = $1 for update', [player])
      const early = orderFor(other, { ...opening, opensAt: 0, sealsAt: 0, drawsAt: 0 })
      const placing = placeAll(database, [order, early])
      await somebodyWaits(database)
      await openTestRound(database, opening)
      return { placing }
    })
    expect(await placing).toEqual([null, 'round_closed'])
    expect(await cashOf(database, other)).toBe(1_000n * U)
    await expectAlwaysTrue(database.owner)
  })

  it('another order of its player, by another process, sees the remaining balance', async () => {
    const { database, player, order } = await atTheTable({ u: 150 })
    const { placing } = await database.owner.transaction(async (tx) => {
      await placeOrders(tx, [{ ...order, key: 'one', ord: 0 }])
      const placing = placeAll(database, [{ ...order, key: 'another' }])
      await somebodyWaits(database)
      return { placing }
    })
    expect(await placing).toEqual(['insufficient_balance'])
    expect(await cashOf(database, player)).toBe(50n * U)
    await expectAlwaysTrue(database.owner)
  })
})

describe('an order', () => {
  it('has the odds, the limits and the version of one moment', async () => {
    const { database, order } = await atTheTable()
    await database.owner.query(
      'update games.odds set odds_milli = 1700 where room_id = 11 and rule_id = 1',
    )
    await database.owner.query('update games.room set rules_version = 2 where id = 11')
    expect(await placeAll(database, [order])).toEqual([null])
    expect(await database.owner.query('select odds_milli, rules_version from bets.bet')).toEqual([
      { odds_milli: [1_700], rules_version: 2 },
    ])
    await database.owner.query('update games.room set stake_min = 100010000 where id = 11')
    expect(await placeAll(database, [{ ...order, key: 'two' }])).toEqual(['below_minimum'])
    await database.owner.query(
      'update games.room set stake_min = 1000000, stake_max = 99000000 where id = 11',
    )
    expect(await placeAll(database, [{ ...order, key: 'two' }])).toEqual(['above_maximum'])
  })
})
