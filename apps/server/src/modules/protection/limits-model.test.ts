/**
 * Goal: no sequence of calls exceeds a limit, even if several processes make them at once. Method: three processes,
 * each with its own connections and batches of orders, make random orders, follows, repeated orders, deposits,
 * changes of limits, reality checks, time-outs and settlements for the same players at the same time; in between,
 * rounds are drawn or voided and the clock jumps. A model that was written from the rules alone must explain every
 * answer: for each player there is an order of the simultaneous calls in which it gives the same answers. PROPERTY_SEED
 * chooses other calls.
 */
import { addDays, dayOf, startOfDay } from '@sum28/domain/schedule.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { voidRound } from '#src/modules/rounds/round-store.ts'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { drawTestRound, openTestRound, type TestRound } from '#testing/database/fixtures.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database/test-database.ts'
import { type Answer, type Call, startProcess } from '#testing/models/protection-calls.ts'
import {
  KINDS,
  newPlayer,
  PERIODS,
  ProtectionModel,
  REFUND,
  ZONES,
} from '#testing/models/protection-model.ts'
import { type Answered, explain } from '#testing/models/protection-order.ts'
import * as store from './protection-store.ts'

/** Calls in all; 10^6 by PROTECTION_OPERATIONS=1000000, which take an hour. */
const OPERATIONS = Number(process.env.PROTECTION_OPERATIONS ?? 5_000)
const timeout = 60_000 * Math.ceil(OPERATIONS / 5_000)
const RUNS = OPERATIONS > 5_000 ? 4 : 2
const PROCESSES = 3
const PLAYERS = 80
const GAMES = [1, 2, 3]
const U = 1_000_000n
const PROTECTIVE = ['excluded', 'reality_check_due', 'limit_reached']
/** An order that comes after the seal, or after a clock jump, is refused before limits are checked. */
const LATE = ['round_closed', 'round_sealed', 'round_wrong', 'follow_unknown']
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** A week before the clocks change in New York, and a month's end is near. */
const BEGINNING = Date.UTC(2026, 9, 25, 15)

/** How often a step has each act, and for which share of the players. */
const ACTS = {
  order: { weight: 10, share: 0.6 },
  deposit: { weight: 3, share: 0.4 },
  limit: { weight: 2, share: 0.3 },
  confirm: { weight: 2, share: 0.3 },
  check: { weight: 2, share: 0.5 },
  time_out: { weight: 1, share: 0.05 },
}
type Act = keyof typeof ACTS

/** The action of one process in a step, for some of the players, chosen by the seed. */
const act = fc.record({
  act: fc.oneof(
    ...(Object.keys(ACTS) as Act[]).map((act) => ({
      weight: ACTS[act].weight,
      arbitrary: fc.constant(act),
    })),
  ),
  seed: fc.nat(),
})
const step = fc.oneof(
  { weight: 9, arbitrary: fc.record({ atOnce: fc.tuple(act, act, act) }) },
  { weight: 3, arbitrary: fc.record({ finish: fc.constantFrom(...GAMES), digit: fc.nat(9) }) },
  {
    weight: 4,
    arbitrary: fc.oneof(
      fc.record({ ms: fc.integer({ min: -60 * MINUTE, max: 30 * MINUTE }) }),
      fc.record({ ms: fc.integer({ min: MINUTE, max: 29 * MINUTE }) }),
      fc.record({ ms: fc.integer({ min: DAY / 2, max: 12 * DAY }) }),
      // Just before, at, and just after a midnight in each of the zones.
      fc.record({ zone: fc.constantFrom(...ZONES), edge: fc.constantFrom(-1, 0, 1) }),
    ),
  },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
type ActOf = { act: Act; seed: number }

/** An hour and a half of play and some time-outs, with which each run meets every verdict. */
const BEGINNING_STEPS: Step[] = [0, 1, 2, 3].flatMap((at): Step[] => [
  {
    atOnce: [
      { act: 'order', seed: 11 + at },
      { act: 'time_out', seed: 21 + at },
      { act: 'order', seed: 31 + at },
    ],
  },
  { ms: 28 * MINUTE },
])

type Stage = {
  database: TestDatabase
  processes: ReturnType<typeof startProcess>[]
  model: ProtectionModel
  players: number[]
  now: number
  /** The open round of each game. */
  rounds: Map<number, TestRound>
  /** Rounds that are drawn or voided, whose bets a process resolves in a later step. */
  unresolved: TestRound[]
  /** The last bet that was accepted, which others may follow. */
  lastBet: Map<number, bigint>
  count: number
  verdicts: Map<string, number>
}

it('what several processes at once refuse and count is what the model says, in some order', {
  timeout,
}, async () => {
  const verdicts = new Map<string, number>()
  const { seed } = fc.readConfigureGlobal()
  console.log(`limits of players: PROPERTY_SEED=${seed} PROTECTION_OPERATIONS=${OPERATIONS}`)
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ZONES),
      fc.array(step, { minLength: 60, maxLength: 60, size: 'max' }),
      async (zone, steps) => {
        const stage = await setStage(zone, verdicts)
        for (const each of BEGINNING_STEPS) await perform(stage, each)
        while (stage.count < OPERATIONS / RUNS) for (const each of steps) await perform(stage, each)
        while (stage.unresolved.length > 0) await callAtOnce(stage, [])
        await expectAlwaysTrue(stage.database.owner)
      },
    ),
    { numRuns: RUNS, endOnFailure: true },
  )
  for (const verdict of ['accepted', ...PROTECTIVE])
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
  const players = await database.owner.column<number>(
    `insert into accounts.player (username, email, email_key, group_id)
     select 'player' || n, 'player' || n || '@example.org', 'player' || n || '@example.org', 1
     from generate_series(1, $1::integer) n returning id`,
    [PLAYERS],
  )
  await database.owner.query(
    `select wallet.move('deposit', array(
       select row(id, '2026-11-20', $1::bigint, 'test:' || id)::wallet.movement from accounts.player))`,
    [5_000_000n * U],
  )
  for (const id of players) model.players.set(id, newPlayer())
  const rounds = new Map<number, TestRound>()
  for (const gameId of GAMES)
    rounds.set(gameId, await openTestRound(database, { gameId, secondsLeft: 86_400 }))
  const processes = Array.from({ length: PROCESSES }, () => startProcess(database))
  const stage: Stage = {
    database,
    processes,
    model,
    players,
    rounds,
    verdicts,
    now: BEGINNING,
    unresolved: [],
    lastBet: new Map(),
    count: 0,
  }
  for (const seed of [1, 2, 3]) await callAtOnce(stage, [{ act: 'limit', seed }])
  return stage
}

async function perform(stage: Stage, each: Step): Promise<void> {
  if ('atOnce' in each) return callAtOnce(stage, each.atOnce)
  if ('finish' in each) return finishRound(stage, each)
  if ('ms' in each) stage.now += each.ms
  else stage.now = startOfDay(each.zone, addDays(dayOf(each.zone, stage.now), 1)) + each.edge
  await stage.database.freezeClock(stage.now)
}

/** A number from 0 to 1 for a player in a step: the same for the same seed. */
function chance(seed: number, player: number, salt = 0): number {
  const mixed = Math.imul(seed ^ Math.imul(player + salt * 7919, 0x9e3779b1), 0x85ebca6b)
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
}

function oneOf<Each>(among: readonly Each[], at: number): Each {
  return among[Math.floor(at * among.length)] as Each
}

/** Lets all processes act at the same time, and the model explain their answers. */
async function callAtOnce(stage: Stage, acts: readonly ActOf[]): Promise<void> {
  const resolving = stage.unresolved.shift()
  const calls: Call[][] = acts.map(() => [])
  const taken = new Set<string>()
  for (const [at, { act, seed: stepSeed }] of acts.entries()) {
    // The same steps are repeated, for other players with other amounts.
    const seed = stepSeed + stage.count
    for (const id of stage.players) {
      // Only orders are made by several processes for one player: their answers show which was first.
      if (chance(seed, id) >= ACTS[act].share || taken.has(`${act} ${id}`)) continue
      if (act !== 'order') taken.add(`${act} ${id}`)
      const call = callOf(stage, { act, seed, id })
      calls[at]?.push(call)
      stage.count += 1
      // A client that sends an order twice has it placed once.
      if (act === 'order' && chance(seed, id, 6) < 0.05) calls[(at + 1) % acts.length]?.push(call)
    }
  }
  if (resolving) {
    const { gameId, issue } = resolving
    calls[0] = [{ act: 'resolve', gameId, issue }, ...(calls[0] ?? [])]
  }
  const replies = await Promise.all(calls.map((own, at) => stage.processes[at]?.(own) ?? []))
  const ofPlayers = await answersOf(stage, { calls, replies, resolving })
  const { model, now } = stage
  for (const [id, answered] of ofPlayers) explain(model, { id, answered, now })
  if (acts.some(({ act }) => act === 'deposit')) await releaseDeposits(stage)
}

function callOf(
  stage: Stage,
  { act, seed, id }: { act: Act; seed: number; id: number },
): Call & { playerId: number } {
  const playerId = id
  const kind = oneOf(KINDS, chance(seed, id, 2))
  const period = oneOf(PERIODS, chance(seed, id, 3))
  const u = BigInt(Math.floor(chance(seed, id, 1) * 440))
  if (act === 'order') {
    const gameId = oneOf(GAMES, chance(seed, id, 7))
    const { issue } = stage.rounds.get(gameId) as TestRound
    const followId = chance(seed, id, 8) < 0.2 ? (stage.lastBet.get(gameId) ?? null) : null
    const order = { playerId, gameId, issue, followId: followId === null ? null : Number(followId) }
    return { act, ...order, stake: (100n + u) * U, key: `${stage.count} ${id}` }
  }
  if (act === 'deposit') {
    return { act, playerId, amount: (1n + u) * U, reference: `test:${stage.count}:${id}` }
  }
  if (act === 'limit') {
    const among = [null, ...[100, 300, 700, 1_500, 4_000].map((amount) => BigInt(amount) * U)]
    return { act, playerId, kind, period, amount: oneOf(among, chance(seed, id, 4)) }
  }
  if (act === 'confirm') return { act, playerId, kind, period }
  if (act === 'time_out') return { act, playerId }
  return chance(seed, id, 5) < 0.2
    ? { act: 'interval', playerId, minutes: [15, 60, 240][id % 3] ?? 60 }
    : { act: 'acknowledge', playerId }
}

/** The answers to each player's calls, without those that came too late for their round. */
async function answersOf(
  stage: Stage,
  {
    calls,
    replies,
    resolving,
  }: { calls: Call[][]; replies: Answer[][]; resolving: TestRound | undefined },
): Promise<Map<number, Answered[]>> {
  const answers: (Answered & { id: number })[] = []
  const orders = new Map<string, Answer>()
  for (const [at, call] of calls.flat().entries()) {
    const answer = replies.flat()[at] as Answer
    if (call.act === 'resolve') continue
    if (call.act === 'order') {
      const twin = orders.get(call.key)
      // An order makes one bet, however often it is sent; a refused one is judged each time.
      if (twin && answer.betId) {
        expect(answer, `the order ${call.key} again`).toEqual(twin)
        continue
      }
      if (LATE.includes(answer.word)) continue
      stage.verdicts.set(answer.word, (stage.verdicts.get(answer.word) ?? 0) + 1)
      if (answer.betId) {
        orders.set(call.key, answer)
        stage.lastBet.set(call.gameId, answer.betId)
      }
    }
    answers.push({ id: call.playerId, call, answer })
  }
  if (resolving) {
    const { gameId, issue } = resolving
    const resolved = await stage.database.owner.query<{ ref: string; id: number; back: bigint }>(
      `select id::text as ref, player_id as id, case status when 'refunded' then $3::bigint else payout end as back
       from bets.bet where game_id = $1 and issue = $2`,
      [gameId, issue, REFUND],
    )
    const call = { act: 'resolve', gameId, issue } as const
    for (const [id, bets] of Map.groupBy(resolved, (bet) => bet.id)) {
      answers.push({ id, call, answer: { word: 'resolved' }, bets })
    }
  }
  return Map.groupBy(answers, ({ id }) => id)
}

/** Draws or voids the round of a game, and opens the next; its bets are resolved while others are placed. */
async function finishRound(
  stage: Stage,
  { finish: gameId, digit }: { finish: number; digit: number },
): Promise<void> {
  const { database } = stage
  const round = stage.rounds.get(gameId) as TestRound
  const refund = stage.now > round.sealsAt
  if (refund) {
    stage.now = Math.max(stage.now, round.drawsAt)
    await database.freezeClock(stage.now)
    await voidRound(database.db, round, 'sealed_late')
  } else {
    await drawTestRound(database, round, [digit, digit, 4])
    stage.now = round.drawsAt + 1
  }
  stage.unresolved.push(round)
  stage.lastBet.delete(gameId)
  const secondsLeft = 600 + digit * 9_000
  stage.rounds.set(gameId, await openTestRound(database, { gameId, secondsLeft }))
}

/** Held deposits are released in their order as soon as nothing blocks them. */
async function releaseDeposits({ database, model, now }: Stage): Promise<void> {
  const held = await database.owner.query<{ playerId: number; amount: bigint }>(
    `select player_id as "playerId", amount from protection.held_deposit
     where state = 'held' order by player_id, id`,
  )
  const due = held.filter(({ playerId, amount }) =>
    model.deposit(model.player(playerId), amount, now),
  )
  const released = await store.releaseDeposits(database.db, { onDay: '2026-11-20', max: 100_000 })
  expect(released).toEqual(due)
}
