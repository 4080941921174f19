/**
 * The bets of a decided round are settled or refunded: to the micro-unit, one call after the other, not before the
 * decision, and with it what the player has won, and may stake again.
 */
import { readFileSync } from 'node:fs'
import { RULES, winningRuleIds } from '@sum28/domain/outcomes.ts'
import { payoutOfBet } from '@sum28/domain/payout.ts'
import { startOdds } from '@sum28/domain/testing/outcome-table.ts'
import { describe, expect, it, vi } from 'vitest'
import type { Queryable } from '#src/db/database.ts'
import { messagesOf } from '#src/modules/inbox/notify.ts'
import { protectionNow, setLimit } from '#src/modules/protection/protection-store.ts'
import { storeDraw } from '#src/modules/rounds/round-store.ts'
import { statementOf } from '#src/modules/wallet/wallet-store.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import {
  addPlayer,
  addPlayers,
  betOfEach,
  cashOf,
  drawTestRound,
  giveMoney,
  openTestRound,
  orderFor,
  placeAccepted,
  placeAll,
  sealTestRound,
  settleTestRound,
  someDraw,
  type TestRound,
  voidTestRound,
} from '#testing/database/fixtures.ts'
import { answerAfter, somebodyWaits } from '#testing/database/simultaneous-calls.ts'
import { eachTestDatabase } from '#testing/database/test-database.ts'
import { holdTime } from '#testing/requests/held-time.ts'
import { hitsOf, moneyInRooms } from './player-rounds-store.ts'
import { settlementPace, settleRound, settleSome } from './round-bets.ts'

const { database, db, owner } = eachTestDatabase()

const U = 1_000_000n
const TODAY = '2026-11-20'
const SETTLEMENT_SQL = new URL('../../../sql/functions/bets/settlement.sql', import.meta.url)
/** Noon of that day in Singapore. */
const NOON = Date.UTC(2026, 10, 20, 4)

describe('the rules in the database', () => {
  it('are those of the code: ids, outcomes, ways, and the outcomes that each sum hits', async () => {
    const rules = await owner.query('select id, outcome, ways from games.rule order by id')
    expect(rules).toEqual([...RULES].sort((a, b) => a.id - b.id))
    for (let sum = 0; sum <= 27; sum++) {
      const ids = await owner.value<number[]>('select games.winning_rules($1) as ids', [sum])
      expect(ids).toEqual(winningRuleIds(sum))
    }
  })

  it('refuse odds that return less than 0.75 or more than 1', async () => {
    const set = (milli: number) =>
      owner.query('update games.odds set odds_milli = $1 where room_id = 11 and rule_id = 1', [
        milli,
      ])
    await set(1_500)
    await set(2_000)
    for (const milli of [1_499, 2_001]) {
      await expect(set(milli)).rejects.toMatchObject({ constraint: 'odds_return' })
    }
  })
})

it('settling pays each of the 36 selections to the micro-unit, whatever the sum is', async () => {
  const odds = new Map(startOdds(0).map(({ ruleId, oddsMilli }) => [ruleId, oddsMilli]))
  const stake = 100_010_000n
  const players = await addPlayers(database, RULES.length, { u: 101 })
  const expected = players.map(() => 101n * U)
  for (const sum of [0, 1, 13, 14, 26, 27]) {
    const round = await openTestRound(database)
    for (const playerId of players) await giveMoney(database.owner, { playerId, u: 100.01 })
    await placeAccepted(
      database,
      RULES.map(({ id }, at) => orderFor(players[at] ?? 0, round, { ruleIds: [id], u: 100.01 })),
    )
    const first = Math.min(9, sum)
    const second = Math.min(9, sum - first)
    const digits = [first, second, sum - first - second] as const
    expect(await settleTestRound(database, round, digits)).toBe(36)
    for (const [at, { id }] of RULES.entries()) {
      const selection = { ruleId: id, oddsMilli: odds.get(id) ?? 0 }
      expected[at] = (expected[at] ?? 0n) + payoutOfBet(stake, [selection], sum)
      expect(await cashOf(database, players[at] ?? 0), `${id} of ${sum}`).toBe(expected[at])
    }
  }
  await expectAlwaysTrue(database.owner)
})

it('a drawn round without winning rules is not settled: such bets would be refunded', async () => {
  const player = await addPlayer(database)
  const round = await openTestRound(database)
  await placeAccepted(database, [orderFor(player, round)])
  await drawTestRound(database, round, [9, 9, 2])
  await database.owner.query(
    'create or replace function games.winning_rules(total integer) returns smallint[] language sql return null::smallint[]',
  )
  await expect(settleRound(database.db, round, TODAY)).rejects.toThrow('has no winning rules')
  expect(await database.owner.column('select status from bets.bet')).toEqual(['accepted'])
})

it('the payout of a bet is listed with its whole stake, and no other movement has one', async () => {
  const player = await addPlayer(database)
  const round = await openTestRound(database)
  // Long and short: one of them is hit, and pays less than both cost.
  await placeAccepted(database, [orderFor(player, round, { ruleIds: [1, 2] })])
  expect(await settleTestRound(database, round, [9, 9, 2])).toBe(1)
  const span = { from: round.opensAt, until: round.drawsAt + 60_000, limit: 10, offset: 0 }
  const kinds = ['stake', 'payout']
  const { rows } = await statementOf(db, { playerId: player, ...span, kinds })
  expect(rows).toMatchObject([
    { kind: 'payout', stake: 200n * U },
    { kind: 'stake', change: -200n * U, stake: null },
  ])
  expect(rows[0]?.change).toBeLessThan(200n * U)
})

/** A sealed round at its end with a bet of each of two players, and how it is drawn so that both win. */
async function endedRound() {
  const round = await openTestRound(database)
  const players = await addPlayers(database, 2)
  await betOfEach(database, round, players)
  await sealTestRound(database, round)
  await database.freezeClock(round.drawsAt)
  return {
    round,
    players,
    draw: async () => expect(await storeDraw(db, round, someDraw([9, 9, 9]))).toBe(true),
    settle: (max: number, by: Queryable = db) => settleSome(by, round, { max, onDay: TODAY }),
    state: () => owner.query('select state, settled_at is not null as resolved from rounds.round'),
    async expectPaid() {
      for (const player of players) expect(await cashOf(database, player)).toBe(1_092n * U)
      await expectAlwaysTrue(owner)
    },
  }
}

/** What holds for a refund too: it is the same function of the database. */
describe('the resolution of a round', () => {
  it('that another has not finished is waited for, and continued; the round is resolved after the last bet', async () => {
    const { round, draw, settle, state, expectPaid } = await endedRound()
    await draw()
    const second = await answerAfter(database, {
      first: async (tx) => expect(await settle(1, tx)).toBe(1),
      second: () => settle(1),
    })
    expect(second).toBe(1)
    expect(await state()).toEqual([{ state: 'drawn', resolved: false }])
    for (const later of [1, 2]) {
      await database.freezeClock(round.drawsAt + later)
      expect(await settle(1)).toBe(0)
      expect(await state()).toEqual([{ state: 'settled', resolved: true }])
    }
    await expectPaid()
  })

  it('that meets a held balance ends soon, and holds those of the others no longer', async () => {
    const { players, draw, settle, expectPaid } = await endedRound()
    await draw()
    // With the product's own limit of time: the tests' is longer than a test may last.
    await database.owner.query(readFileSync(SETTLEMENT_SQL, 'utf8'))
    await database.owner.transaction(async (tx) => {
      await tx.query('select from ledger.balance where holder_id = $1 for update', [players[1]])
      await expect(settle(10)).rejects.toThrow('lock timeout')
    })
    expect(await settle(10)).toBe(2)
    await expectPaid()
  })

  it('that finds its round not decided yet does not end the round, even if it is decided meanwhile', async () => {
    const { draw, settle, expectPaid } = await endedRound()
    const { early } = await database.owner.transaction(async (tx) => {
      await tx.query('lock table bets.settling, bets.bet in share mode')
      const early = settle(10)
      // It is over now; if it went on to the bets, it would wait.
      await Promise.race([early, somebodyWaits(database)])
      await draw()
      return { early }
    })
    expect(await early).toBe(0)
    expect(await settle(10)).toBe(2)
    await expectPaid()
  })
})

describe('a settlement', () => {
  it('goes on where it was, whatever else of its game is settled meanwhile', async () => {
    const players = await addPlayers(database, 3)
    const rounds: TestRound[] = []
    for (const gameId of [1, 1, 2]) {
      const round = await openTestRound(database, { gameId })
      await betOfEach(database, round, players)
      await drawTestRound(database, round, [9, 9, 9])
      rounds.push(round)
    }
    const some = (round: TestRound, max: number) => settleSome(db, round, { max, onDay: TODAY })
    // The later one of a game has come further.
    for (const [at, round] of [...rounds.entries()].reverse()) {
      expect(await some(round, at + 1)).toBe(at + 1)
    }
    for (const [at, round] of rounds.entries()) {
      expect(await some(round, 3)).toBe(2 - at)
      expect(await owner.query('select from bets.settling')).toHaveLength(2 - at)
    }
    await expectAlwaysTrue(owner)
  })

  it('of bets that return their stakes alone lists no win', async () => {
    await database.owner.query(
      'update games.odds set odds_milli = 2000 where room_id = 11 and rule_id in (1, 2)',
    )
    const [even, winner] = [await addPlayer(database), await addPlayer(database)]
    const round = await openTestRound(database)
    await placeAccepted(database, [
      orderFor(even, round, { ruleIds: [1, 2] }),
      orderFor(winner, round, { ruleIds: [1] }),
    ])
    expect(await settleTestRound(database, round)).toBe(2)
    expect(
      await database.owner.query('select player_id as player, profit from bets.winner'),
    ).toEqual([{ player: winner, profit: 100n * U }])
  })

  it('adds what was paid to the player’s session, and to the day of the settlement', async () => {
    await database.freezeClock(NOON)
    const ann = await addPlayer(database)
    for (const onDay of ['2026-11-20', '2026-11-20', '2026-11-21']) {
      const round = await openTestRound(database)
      for (const ruleIds of [[1, 2], [1]]) await betOfEach(database, round, [ann], { ruleIds })
      await drawTestRound(database, round, [9, 9, 9])
      expect(await settleSome(db, round, { max: 10, onDay })).toBe(2)
    }
    expect(await protectionNow(db, ann)).toMatchObject({ staked: 900n * U, won: 1_152n * U })
    const days = 'select day::text, staked, paid from bets.player_day order by day'
    expect(await owner.query(days)).toEqual([
      { day: '2026-11-20', staked: 600n * U, paid: 768n * U },
      { day: '2026-11-21', staked: 300n * U, paid: 384n * U },
    ])
    await expectAlwaysTrue(owner)
  })
})

it('a refund gives the player back the part of his limit that the stakes had used, and his session’s figures', async () => {
  await database.freezeClock(NOON)
  const playerId = await addPlayer(database)
  await setLimit(db, { playerId, kind: 'stake', period: 'day', amount: 150n * U })
  const round = await openTestRound(database)
  await placeAccepted(database, [orderFor(playerId, round)])
  await voidTestRound(database, round)
  const next = await openTestRound(database)
  expect(await placeAll(database, [orderFor(playerId, next)])).toEqual(['limit_reached'])
  expect(await settleSome(db, round, { max: 10, onDay: TODAY })).toBe(1)
  expect(await protectionNow(db, playerId)).toMatchObject({ staked: 0n, won: 0n })
  await placeAccepted(database, [orderFor(playerId, next)])
  expect(await protectionNow(db, playerId)).toMatchObject({ staked: 100n * U, won: 0n })
  await expectAlwaysTrue(database.owner)
})

it.each([1, 2, 3, 10])(
  'a refund of %i bets at a time tells each player once, at his last bet, all that came back to him',
  async (max) => {
    const round = await openTestRound(database)
    const players = await addPlayers(database, 3)
    const [, second, third] = players as [number, number, number]
    await betOfEach(database, round, players)
    for (const u of [200, 300]) await betOfEach(database, round, [second], { u })
    await betOfEach(database, round, [third])
    await voidTestRound(database, round)
    for (let done = 1; done > 0; ) {
      done = await settleSome(db, round, { max, onDay: TODAY })
      const told = await owner.column<number>('select player_id from inbox.message order by 1')
      const waiting = await owner.column<number>(
        `select distinct player_id from bets.bet where status = 'accepted'`,
      )
      expect(told).toEqual(players.filter((player) => !waiting.includes(player)))
    }
    const amounts = await Promise.all(
      players.map(async (player) =>
        (await messagesOf(db, player, { limit: 10 })).map(({ facts }) => facts.amount),
      ),
    )
    expect(amounts).toEqual([['100.00'], ['600.00'], ['200.00']])
    await expectAlwaysTrue(owner)
  },
)

it('a player’s stakes in a room grow with his bets, and shrink with each refund; they are added up for a new balance alone', async () => {
  const round = await openTestRound(database)
  const [ann, bob] = [await addPlayer(database), await addPlayer(database)]
  const rooms = [
    { playerId: ann, roomId: 11 },
    { playerId: ann, roomId: 12 },
    { playerId: bob, roomId: 11 },
  ].map((room) => ({ ...room, gameId: 1, issue: round.issue }))
  const bought = async () =>
    (await moneyInRooms(db, rooms)).map(({ bought }) => Number((bought ?? -U) / U))
  const versions = async () => (await moneyInRooms(db, rooms)).map(({ version }) => version)
  const boughtSince = async (known: bigint[]) =>
    (await moneyInRooms(db, rooms, known)).map(({ bought }) => bought)

  expect(await bought()).toEqual([0, 0, 0])
  await placeAccepted(database, [orderFor(ann, round), orderFor(bob, round, { u: 150 })])
  await placeAccepted(database, [orderFor(ann, round, { ruleIds: [1, 4] })])
  const before = await versions()
  expect(await boughtSince(before)).toEqual([null, null, null])
  await placeAccepted(database, [orderFor(ann, round, { u: 200, room: 2 })])
  expect(await bought()).toEqual([300, 200, 150])
  expect(await boughtSince(before)).toEqual([300n * U, 200n * U, null])
  await expectAlwaysTrue(database.owner)

  await voidTestRound(database, round)
  expect(await settleSome(db, round, { max: 2, onDay: TODAY })).toBe(2)
  expect(await bought()).toEqual([0, 200, 150])
  expect(await settleSome(db, round, { max: 10, onDay: TODAY })).toBe(2)
  expect(await bought()).toEqual([0, 0, 0])
  await expectAlwaysTrue(database.owner)
})

it('a winning bet is reported once all bets of its player in the round are settled', async () => {
  const round = await openTestRound(database)
  const players = await addPlayers(database, 3)
  const [winner, mixed, loser] = players as [number, number, number]
  await betOfEach(database, round, [winner, mixed])
  await betOfEach(database, round, [mixed, loser], { ruleIds: [2] })
  await betOfEach(database, round, [winner], { u: 200 })
  await drawTestRound(database, round, [9, 9, 9])
  const rounds = players.map((playerId) => ({ ...round, playerId }))
  const answers = () => hitsOf(db, rounds)
  const hits = async () => (await answers()).flatMap((answer) => answer.hits)
  for (let settled = 0; settled < 5; settled++) {
    const waiting = await owner.column<number>(
      `select player_id from bets.bet where status = 'accepted'`,
    )
    expect(waiting).toHaveLength(5 - settled)
    for (const { playerId } of await hits()) expect(waiting).not.toContain(playerId)
    await settleSome(db, round, { max: 1, onDay: TODAY })
  }
  await settleRound(db, round, TODAY)
  expect((await answers()).map(({ final }) => final)).toEqual([true, true, true])
  expect((await hits()).map(({ playerId }) => playerId).sort()).toEqual([winner, winner, mixed])
  await expectAlwaysTrue(owner)
})

const BETS = 5
const PART = 2

async function bettors() {
  const players = await addPlayers(database, BETS)
  const round = await openTestRound(database)
  return { round, bet: () => betOfEach(database, round, players) }
}

it('rests as long as the orders need that were placed since the part before, and at most twice as long as that part', async () => {
  const { bet } = await bettors()
  const waits: number[] = []
  const wait = async (ms: number) => waits.push(ms)
  const pace = settlementPace(database.db, new AbortController().signal, { wait })
  await bet()
  await pace.rest(1_000)
  await bet()
  await pace.rest(1_000)
  await pace.rest(1_000)
  await bet()
  await pace.rest(0.25)
  expect(waits).toEqual([0, 1, 0, 0.5])
})

it('a settlement that is stopped ends after its part, and continues later', async () => {
  const { round, bet } = await bettors()
  await bet()
  await drawTestRound(database, round, [9, 9, 9])
  const stopping = new AbortController()
  const wait = async () => stopping.abort()
  const pace = settlementPace(database.db, stopping.signal, { part: PART, wait })
  await expect(settleRound(database.db, round, TODAY, pace)).rejects.toThrow('aborted')
  const resolved = `select from bets.bet where status <> 'accepted'`
  expect(await database.owner.query(resolved)).toHaveLength(2 * PART)
  expect(await settleRound(database.db, round, TODAY)).toBe(BETS - 2 * PART)
})

it('a settlement says after each part how long it took', async () => {
  const { round, bet } = await bettors()
  await bet()
  await drawTestRound(database, round, [9, 9, 9])
  holdTime('performance')
  let parts = 0
  /** Each part takes ten milliseconds longer than the one before. */
  const slower: Queryable = {
    ...database.db,
    query(text, values) {
      parts += 1
      vi.advanceTimersByTime(10 * parts)
      return database.db.query(text, values)
    },
  }
  const took: number[] = []
  const rest = async (tookMs: number) => void took.push(tookMs)
  expect(await settleRound(slower, round, TODAY, { part: PART, rest })).toBe(BETS)
  expect(took).toEqual([10, 20])
})
