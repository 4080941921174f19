/**
 * Goal: no sequence of calls passes a limit. Method: random orders, settlements, voids, deposits, changes of
 * limits, reality checks, time-outs and jumps of the clock, through the functions that the product calls,
 * against a model that was written from the rules alone. Every verdict must be the model's. Then orders of
 * the same players in many batches at once, where only the rules themselves are compared: what was accepted
 * never passes a limit, and what was refused would have. fast-check prints its seed.
 */
import { addDays, dayOf, startOfDay } from '@sum28/domain/schedule.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { only } from '#src/db/database.ts'
import { placeOrders } from '#src/modules/bets/bet-store.ts'
import { refundRound, settleRound } from '#src/modules/bets/resolve-round.ts'
import { expectAlwaysTrue } from '#testing/always-true.ts'
import {
  addPlayer,
  drawTestRound,
  openTestRound,
  orderFor,
  placeAll,
  type TestRound,
} from '#testing/fixtures.ts'
import { KINDS, PERIODS, ProtectionModel, REFUND, ZONES } from '#testing/protection-model.ts'
import { createTestDatabase, type TestDatabase } from '#testing/test-database.ts'
import * as store from './protection-store.ts'

/** Orders, deposits and changes in all; 10^6 by PROTECTION_OPERATIONS=1000000. */
const OPERATIONS = Number(process.env.PROTECTION_OPERATIONS ?? 100_000)
const RUNS = 4
const PLAYERS = 250
const U = 1_000_000n
const PROTECTIVE = ['excluded', 'reality_check_due', 'limit_reached']
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** A week before the clocks change in New York, and a month's end is near. */
const BEGINNING = Date.UTC(2026, 9, 25, 15)

/** What one step does to every player that it has a number for. */
const step = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({ act: fc.constant('order' as const), seed: fc.nat(), u: fc.nat(40) }),
  },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('finish' as const), digit: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('deposit' as const), seed: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('limit' as const), seed: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('confirm' as const), seed: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('check' as const), seed: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('exclude' as const), seed: fc.nat() }) },
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant('clock' as const),
      to: fc.oneof(
        fc.record({ ms: fc.integer({ min: -60 * MINUTE, max: 30 * MINUTE }) }),
        fc.record({ ms: fc.integer({ min: MINUTE, max: 29 * MINUTE }) }),
        fc.record({ ms: fc.integer({ min: DAY / 2, max: 12 * DAY }) }),
        // Just before, at, and just after a midnight in each of the zones.
        fc.record({ zone: fc.constantFrom(...ZONES), edge: fc.constantFrom(-1, 0, 1) }),
      ),
    }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** An hour and a half of play and some time-outs, with which each run meets every verdict. */
const BEGINNING_STEPS: Step[] = [0, 1, 2, 3].flatMap((at): Step[] => [
  { act: 'order', seed: 11 + at, u: 3 },
  { act: 'exclude', seed: 21 + at },
  { act: 'order', seed: 31 + at, u: 7 },
  { act: 'clock', to: { ms: 28 * MINUTE } },
])

type Stage = {
  database: TestDatabase
  model: ProtectionModel
  players: number[]
  now: number
  round: TestRound
  count: number
  verdicts: Map<string, number>
}

it('what is refused and what is counted is what the model says', async () => {
  const verdicts = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ZONES),
      fc.array(step, { minLength: 60, maxLength: 60, size: 'max' }),
      async (zone, steps) => {
        const stage = await setStage(zone, verdicts)
        for (const each of BEGINNING_STEPS) await perform(stage, each)
        while (stage.count < OPERATIONS / RUNS) for (const each of steps) await perform(stage, each)
        await expectAlwaysTrue(stage.database.owner)
      },
    ),
    { numRuns: RUNS, endOnFailure: true },
  )
  for (const verdict of ['null', ...PROTECTIVE])
    expect(verdicts.get(verdict), verdict).toBeGreaterThan(0)
})

async function setStage(zone: string, verdicts: Map<string, number>): Promise<Stage> {
  const database = await createTestDatabase()
  await database.freezeClock(BEGINNING)
  await database.owner.query('update protection.house set time_zone = $1', [zone])
  await database.owner.query(
    `insert into protection.house_limit values ('law', 'stake', 'month', $1), ('operator', 'deposit', 'week', $2)`,
    [40_000n * U, 900n * U],
  )
  const house = new Map([
    ['stake month', 40_000n * U],
    ['deposit week', 900n * U],
  ])
  const model = new ProtectionModel(zone, house)
  const rows = await database.owner.query<{ id: number }>(
    `insert into accounts.player (username, email, email_key, group_id)
     select 'player' || n, 'player' || n || '@example.org', 'player' || n || '@example.org', 1
     from generate_series(1, $1::integer) n returning id`,
    [PLAYERS],
  )
  const players = rows.map(({ id }) => id)
  await database.owner.query(
    `select wallet.credit_deposits(array(
       select row(id, '2026-11-20', $1::bigint, 'test:' || id)::wallet.movement from accounts.player))`,
    [5_000_000n * U],
  )
  for (const id of players) model.add(id)
  const round = await openTestRound(database, { secondsLeft: 86_400 })
  const stage = { database, model, players, now: BEGINNING, round, count: 0, verdicts }
  for (const seed of [1, 2, 3]) await changeLimits(stage, seed)
  return stage
}

async function perform(stage: Stage, op: Step): Promise<void> {
  if (op.act === 'clock') return setClock(stage, op.to)
  if (op.act === 'finish') return finishRound(stage, op.digit)
  // The same steps come again and again, for other players with other amounts.
  const seed = op.seed + stage.count
  if (op.act === 'order') return placeOrdersOf(stage, { seed, u: op.u })
  if (op.act === 'deposit') return depositFor(stage, seed)
  if (op.act === 'limit') return changeLimits(stage, seed)
  if (op.act === 'confirm') return confirmRaises(stage, seed)
  if (op.act === 'check') return acknowledge(stage, seed)
  return timeOut(stage, seed)
}

async function setClock(stage: Stage, to: (Step & { act: 'clock' })['to']): Promise<void> {
  if ('ms' in to) stage.now += to.ms
  else {
    const { zone, edge } = to
    stage.now = startOfDay(zone, addDays(dayOf(zone, stage.now), 1)) + edge
  }
  await stage.database.freezeClock(stage.now)
}

/** A number from 0 to 1 of a player in a step: the same for the same seed. */
function chance(seed: number, player: number, salt = 0): number {
  const mixed = Math.imul(seed ^ Math.imul(player + salt * 7919, 0x9e3779b1), 0x85ebca6b)
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
}

/** The players of a step, and how many operations it is. */
function some(stage: Stage, seed: number, share: number): number[] {
  const chosen = stage.players.filter((id) => chance(seed, id) < share)
  stage.count += chosen.length
  return chosen
}

async function placeOrdersOf(stage: Stage, { seed, u }: { seed: number; u: number }) {
  const { database, model, round, now } = stage
  const orders = some(stage, seed, 0.8).map((id, ord) => ({
    ...orderFor(id, round, { u: 100 + u + Math.floor(chance(seed, id, 1) * 400) }),
    ord,
  }))
  const placed = await placeOrders(database.db, orders)
  for (const [at, { reason, facts, betId }] of placed.entries()) {
    const { player_id: id, stake } = orders[at] as (typeof orders)[number]
    if (reason !== null && !PROTECTIVE.includes(reason)) {
      expect(['round_closed', 'round_sealed', 'round_wrong']).toContain(reason)
      continue
    }
    const total = BigInt(stake)
    expect(reason, `player ${id} at ${now}`).toBe(model.judgeStake(id, total, now))
    stage.verdicts.set(String(reason), (stage.verdicts.get(String(reason)) ?? 0) + 1)
    if (betId !== null) model.stake(id, { ref: String(betId), total, now })
    if (reason === 'limit_reached') expectTrueLimit(stage, id, { facts, total })
    if (reason === 'reality_check_due') {
      const { staked, returned } = model.session(id, now) ?? { staked: -1n, returned: -1n }
      expect(facts).toMatchObject({ staked: String(staked), won: String(returned) })
    }
  }
}

/** What the player is told: a limit that would be passed, what it leaves, and when it begins anew. */
function expectTrueLimit(
  { model, now }: Stage,
  id: number,
  { facts, total }: { facts: Record<string, string> | null; total: bigint },
): void {
  const { limit, period, left } = facts as { limit: 'stake'; period: 'day'; left: string }
  const leaves = model.left(id, limit, period, now)
  expect(leaves).toBeLessThan(total)
  expect(BigInt(left)).toBe(leaves < 0n ? 0n : leaves)
}

async function finishRound(stage: Stage, digit: number): Promise<void> {
  const { database, model, round } = stage
  if (stage.now <= round.sealsAt) {
    await drawTestRound(database, round, [digit, digit, 4])
    await settleRound(database.db, round, '2026-11-20')
    stage.now = round.drawsAt + 1
  } else {
    stage.now = Math.max(stage.now, round.drawsAt)
    await database.freezeClock(stage.now)
    await database.db.query(`select rounds.void($1::smallint, $2, 'sealed_late')`, [
      round.gameId,
      round.issue,
    ])
    await refundRound(database.db, round)
  }
  const bets = await database.owner.query<{ id: bigint; player: number; back: bigint }>(
    `select id, player_id as player, case status when 'refunded' then $3::bigint else payout end as back
     from bets.bet where game_id = $1 and issue = $2`,
    [round.gameId, round.issue, REFUND],
  )
  for (const { id, player, back } of bets) model.giveBack(player, String(id), back)
  stage.round = await openTestRound(database, { secondsLeft: 600 + digit * 9_000 })
}

async function depositFor(stage: Stage, seed: number): Promise<void> {
  const { database, model, now } = stage
  const asked = some(stage, seed, 0.4).map((id) => {
    const amount = U * BigInt(1 + Math.floor(chance(seed, id, 1) * 500))
    return { id, amount, reference: `test:${stage.count}:${id}` }
  })
  const { refs } = only(
    await database.owner.query<{ refs: string[] | null }>(
      `select array_agg(reference) as refs from protection.credit_deposits(
         array(select row(id, '2026-11-20', amount, reference)::wallet.movement
           from unnest($1::integer[], $2::bigint[], $3::text[]) as asked (id, amount, reference)),
         array_fill(null::text, array[cardinality($1::integer[])]))`,
      [
        asked.map(({ id }) => id),
        asked.map(({ amount }) => amount),
        asked.map(({ reference }) => reference),
      ],
    ),
  )
  const credited = asked.filter(({ id, amount }) => model.deposit(id, amount, now))
  expect([...(refs ?? [])].sort()).toEqual(credited.map(({ reference }) => reference).sort())
  // Held ones are released in their order as soon as nothing holds them.
  const held = await database.owner.query<{ playerId: number; amount: bigint }>(
    `select player_id as "playerId", amount from protection.held_deposit
     where state = 'held' order by player_id, id`,
  )
  const due = held.filter(({ playerId, amount }) => model.deposit(playerId, amount, now))
  const released = await store.releaseDeposits(database.db, { onDay: '2026-11-20', max: 100_000 })
  expect(released).toEqual(due)
}

/** What a function of the database says of each of some players, in one statement. */
async function ask<Said>(
  { database }: Stage,
  call: string,
  asked: { id: number; [field: string]: unknown }[],
): Promise<Said[]> {
  const rows = await database.db.query<{ said: Said }>(
    `select ${call} as said from jsonb_to_recordset($1::jsonb)
       as asked (id integer, kind text, period text, amount bigint, minutes integer)`,
    [JSON.stringify(asked, (_name, value) => (typeof value === 'bigint' ? String(value) : value))],
  )
  return rows.map(({ said }) => said)
}

async function changeLimits(stage: Stage, seed: number): Promise<void> {
  const { model, now } = stage
  const among = [null, ...[100, 300, 700, 1_500, 4_000].map((u) => BigInt(u) * U)]
  const asked = some(stage, seed, 0.3).map((id) => {
    const amount = among[Math.floor(chance(seed, id, 4) * among.length)] ?? null
    return { id, ...limitOf(seed, id), amount }
  })
  expect(await ask(stage, 'protection.set_limit(id, kind, period, amount)', asked)).toEqual(
    asked.map(({ id, kind, period, amount }) => model.setLimit(id, kind, period, amount, now)),
  )
}

async function confirmRaises(stage: Stage, seed: number): Promise<void> {
  const { model, now } = stage
  const asked = some(stage, seed, 0.3).map((id) => ({ id, ...limitOf(seed, id) }))
  expect(await ask(stage, 'protection.confirm_raise(id, kind, period)', asked)).toEqual(
    asked.map(({ id, kind, period }) => model.confirmRaise(id, kind, period, now)),
  )
}

function limitOf(seed: number, id: number) {
  const kind = KINDS[Math.floor(chance(seed, id, 2) * 3)] ?? 'loss'
  const period = PERIODS[Math.floor(chance(seed, id, 3) * 3)] ?? 'day'
  return { kind, period }
}

async function acknowledge(stage: Stage, seed: number): Promise<void> {
  const { model, now } = stage
  const ids = some(stage, seed, 0.5).map((id) => ({ id }))
  expect(await ask(stage, 'protection.acknowledge_check(id)', ids)).toEqual(
    ids.map(({ id }) => model.acknowledge(id, now)),
  )
  const changing = ids
    .filter(({ id }) => chance(seed, id, 5) < 0.2)
    .map(({ id }) => ({ id, minutes: [15, 60, 240][id % 3] ?? 60 }))
  expect(
    await ask(stage, 'protection.set_check(id, make_interval(mins => minutes))', changing),
  ).toEqual(changing.map(({ id, minutes }) => model.setCheck(id, minutes, now)))
}

async function timeOut(stage: Stage, seed: number): Promise<void> {
  const { model, now } = stage
  const ids = some(stage, seed, 0.05).map((id) => ({ id }))
  expect(await ask(stage, `protection.exclude(id, 'time_out', '24 hours')`, ids)).toEqual(
    ids.map(({ id }) => model.timeOut(id, 24, now)),
  )
}

it('many batches at once of the same players pass no limit, and refuse nothing that it allows', async () => {
  const database = await createTestDatabase()
  const round = await openTestRound(database, { secondsLeft: 3_600 })
  const limit = 2_500n * U
  const players = await Promise.all(
    Array.from({ length: 20 }, () => addPlayer(database, { u: 100_000 })),
  )
  for (const [at, playerId] of players.entries()) {
    const kind = at % 2 ? 'stake' : 'loss'
    await store.setLimit(database.db, { playerId, kind, period: 'day', amount: limit })
  }
  const batches = Array.from({ length: 24 }, (_, batch) =>
    players.map((id) => orderFor(id, round, { u: 100 + ((batch * 37 + id * 11) % 300) })),
  )
  const placed = await Promise.all(batches.map((orders) => placeAll(database, orders)))
  for (const [at, id] of players.entries()) {
    const orders = batches.map((orders, batch) => ({
      stake: BigInt(orders[at]?.stake ?? 0),
      reason: placed[batch]?.[at],
    }))
    const taken = orders.filter(({ reason }) => reason === null).map(({ stake }) => stake)
    const refused = orders.filter(({ reason }) => reason === 'limit_reached')
    expect(taken.length + refused.length).toBe(orders.length)
    const left = limit - taken.reduce((sum, stake) => sum + stake, 0n)
    expect(left, `player ${id}`).toBeGreaterThanOrEqual(0n)
    for (const { stake } of refused) expect(stake).toBeGreaterThan(left)
  }
})
