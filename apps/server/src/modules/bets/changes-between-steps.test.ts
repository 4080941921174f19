/** Changes between two steps of a bet: accepted bets are not affected, waiting ones see the change. */
import { describe, expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import {
  addPlayer,
  cashOf,
  moveMoney,
  openTestRound,
  orderFor,
  placeAccepted,
  placeAfter,
  placeAll,
  settleTestRound,
} from '#testing/database/fixtures.ts'
import { answerAfter } from '#testing/database/simultaneous-calls.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { staffToken } from '#testing/people/staff.ts'
import { heldUntilTheEnd } from '#testing/product/play-round.ts'

const U = 1_000_000n

/** A player, and an order of his for a running round. */
async function atTheTable({ u = 1_000 }: { u?: number } = {}) {
  const database = await createTestDatabase()
  const round = await openTestRound(database)
  const player = await addPlayer(database, { u })
  return { database, round, player, order: orderFor(player, round) }
}

/** What another transaction does meanwhile, by the player and a session of staff. */
type Change = (player: number, session: string) => [text: string, values: unknown[]]

const NOTE = `select protection.note_mark($1, 'card', array[sha256('card')], 'test')`

describe('a bet that was accepted', () => {
  it('is paid at the odds that it was accepted at, whatever they are when it is settled', async () => {
    const { database, round, player, order } = await atTheTable()
    const setOdds = (ruleId: number, milli: number) =>
      database.owner.query(
        'update games.odds set odds_milli = $2 where room_id = 11 and rule_id = $1',
        [ruleId, milli],
      )
    await setOdds(1, 1_700)
    await database.owner.query('update games.room set rules_version = 2 where id = 11')
    await placeAccepted(database, [{ ...order, rule_ids: [1, 3] }])
    expect(await database.owner.query('select odds_milli, rules_version from bets.bet')).toEqual([
      { odds_milli: [1_700, 1_920], rules_version: 2 },
    ])
    await setOdds(1, 1_600)
    await setOdds(3, 1_990)
    await settleTestRound(database, round)
    expect(await cashOf(database, player)).toBe(800n * U + 170n * U + 192n * U)
    await expectAlwaysTrue(database.owner)
  })

  it('stays accepted when limits, stops and the greatest payout are changed after it', async () => {
    const { database, round, player, order } = await atTheTable()
    await placeAccepted(database, [order])
    await database.owner.query(
      `update games.room set stake_min = 500000000, entry_min = 900000000000, stopped = true where id = 11`,
    )
    await database.owner.query('update games.house set stopped = true, payout_max = 1')
    await settleTestRound(database, round)
    expect(await cashOf(database, player)).toBe(900n * U + 192n * U)
    await expectAlwaysTrue(database.owner)
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
    const { database, player, order } = await atTheTable()
    const excluded = await addPlayer(database)
    await database.owner.query(NOTE, [excluded])
    await database.owner.query(`select protection.exclude($1, 'self_exclusion', '6 months')`, [
      excluded,
    ])
    const session = await staffToken(database)
    const reason = await placeAfter(database, order, (tx) => tx.query(...change(player, session)))
    expect(reason).toBe(expected)
    expect(await database.owner.query('select from bets.bet')).toEqual([])
    await expectAlwaysTrue(database.owner)
  })

  it('a withdrawal that is not committed yet sees the remaining balance', async () => {
    const { database, player, order } = await atTheTable({ u: 250 })
    const withdrawal = { playerId: player, micro: 151_000_000n, reference: 'test' }
    // 99 u are left, and 100 are needed to be in the room.
    expect(await placeAfter(database, order, (tx) => moveMoney(tx, 'withdrawal', withdrawal))).toBe(
      'below_entry',
    )
    expect(await cashOf(database, player)).toBe(99n * U)
  })

  it('the seal finds the round sealed, although it was sent before the time', async () => {
    const { database, round, order } = await atTheTable()
    await database.freezeClock(round.sealsAt)
    const reasons = await answerAfter(database, {
      async first(tx) {
        await tx.query('select bets.seal(1::smallint, $1)', [round.issue])
        await database.freezeClock(round.sealsAt - 1)
      },
      second: () => placeAll(database, [order]),
    })
    expect(reasons).toEqual(['round_sealed'])
    await expectAlwaysTrue(database.owner)
  })

  it('its round past the seal is judged by the time at which it gets it', async () => {
    const { database, round, order } = await atTheTable()
    const placing = () => placeAll(database, [order])
    expect(await heldUntilTheEnd(database, round, placing, round.sealsAt)).toEqual(['round_sealed'])
  })

  it('the balances is refused if its round opens meanwhile: it has not locked that round', async () => {
    const { database, order } = await atTheTable()
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
    await expectAlwaysTrue(database.owner)
  })
})
