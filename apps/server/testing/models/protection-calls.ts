/**
 * The calls of player protection's property test, and who makes them: what processes do, each with connections and
 * batches of orders of its own. Orders go through what the product itself calls; of the other calls some are made in
 * one statement, for each is as long as the test is.
 */
import { onTestFinished } from 'vitest'
import { openDatabase } from '#src/db/database.ts'
import { betPlacer } from '#src/modules/bets/place-bet.ts'
import { settleRound } from '#src/modules/bets/round-bets.ts'
import { isRefusal } from '#src/refusal/refusal.ts'
import type { TestDatabase } from '../database/test-database.ts'
import { PATIENT_TO_CONNECT } from '../requests/patience.ts'
import type { Kind, Period } from './protection-model.ts'

/** One call for one player, or the settlement of a round. Amounts are micro-units. */
export type Call =
  | {
      act: 'order'
      playerId: number
      gameId: number
      issue: string
      stake: bigint
      followId: number | null
      key: string
    }
  | { act: 'deposit'; playerId: number; amount: bigint; reference: string }
  | { act: 'limit'; playerId: number; kind: Kind; period: Period; amount: bigint | null }
  | { act: 'confirm'; playerId: number; kind: Kind; period: Period }
  | { act: 'acknowledge'; playerId: number }
  | { act: 'interval'; playerId: number; minutes: number }
  | { act: 'time_out'; playerId: number }
  | { act: 'resolve'; gameId: number; issue: string }

/** The answer to a call: a word, and for an order the bet's id or the reason of the refusal. */
export type Answer = { word: string; betId?: bigint; facts?: Record<string, string | number> }

/** The calendar day of every booking: this test is not about the figures of days. */
const ON_DAY = '2026-11-20'
/** Calls in one statement, which holds the locks of all their players. */
const TOGETHER = 20

/** The deposits of one statement are credited in their order. */
const CREDIT = `select case when reference in (
    select credited.reference from protection.credit_deposits(
      array(select row("playerId", '${ON_DAY}', amount, reference)::wallet.movement from asked order by place),
      array(select null::text from asked)) credited)
  then 'credited' else 'held' end`

/** Every call other than an order, on its row of `asked`. */
const SQL: Record<
  Exclude<Call['act'], 'order' | 'resolve'>,
  { by: 'db' | 'owner'; say: string }
> = {
  deposit: { by: 'owner', say: CREDIT },
  limit: { by: 'db', say: 'select protection.set_limit("playerId", kind, period, amount)' },
  confirm: { by: 'db', say: 'select protection.confirm_raise("playerId", kind, period)' },
  acknowledge: { by: 'db', say: 'select protection.acknowledge_check("playerId")::text' },
  interval: {
    by: 'db',
    say: 'select protection.set_check("playerId", make_interval(mins => minutes))',
  },
  time_out: { by: 'db', say: `select protection.exclude("playerId", 'time_out', '24 hours')` },
}

/** Answers calls as a process on the database does: all at once. */
export function startProcess({ applicationUrl, owner }: TestDatabase) {
  const limits = { ...PATIENT_TO_CONNECT, lockMs: 90_000 }
  const db = openDatabase(applicationUrl, { connectionsMax: 5, limits })
  onTestFinished(() => db.close())
  const placeBet = betPlacer({ db, onAccepted: () => {} })

  async function place(order: Call & { act: 'order' }): Promise<Answer> {
    const { playerId, gameId, issue, stake, followId, key } = order
    const result = await placeBet({
      playerId,
      gameId,
      issue,
      stake,
      followId,
      roomId: gameId * 10 + 1,
      ruleIds: [1],
      idempotencyKey: key,
    })
    if (!isRefusal(result)) return { word: 'accepted', betId: result.bet.id }
    // No answer yet, on a busy machine: a client sends it again with its key.
    if (result.refused === 'unavailable' || result.refused === 'too_many_requests')
      return place(order)
    return { word: result.refused, ...(result.details ? { facts: result.details } : {}) }
  }

  async function sayTogether(act: keyof typeof SQL, calls: readonly Call[]): Promise<Answer[]> {
    const { by, say } = SQL[act]
    const numbered = calls.map((call, place) => ({ ...call, place }))
    const rows = await (by === 'db' ? db : owner).query<{ word: string }>(
      `with asked as (select * from jsonb_to_recordset($1::jsonb) as asked
         (place integer, "playerId" integer, kind text, period text, amount bigint, minutes integer, reference text))
       ${say} as word from asked order by place`,
      [
        JSON.stringify(numbered, (_name, value) =>
          typeof value === 'bigint' ? String(value) : value,
        ),
      ],
    )
    return rows.map(({ word }) => ({ word }))
  }

  async function answer(call: Call & { act: 'order' | 'resolve' }): Promise<Answer> {
    if (call.act === 'order') return place(call)
    await settleRound(db, call, ON_DAY)
    return { word: 'resolved' }
  }

  return async function answerAll(calls: readonly Call[]): Promise<Answer[]> {
    const answers = new Map<Call, Answer>()
    const work = calls
      .filter((call) => call.act === 'order' || call.act === 'resolve')
      .map(async (call) => answers.set(call, await answer(call)))
    for (const act of Object.keys(SQL) as (keyof typeof SQL)[]) {
      const callsOfKind = calls.filter((call) => call.act === act)
      for (let at = 0; at < callsOfKind.length; at += TOGETHER) {
        const together = callsOfKind.slice(at, at + TOGETHER)
        work.push(
          sayTogether(act, together).then((words) => {
            for (const [place, call] of together.entries())
              answers.set(call, words[place] as Answer)
            return answers
          }),
        )
      }
    }
    await Promise.all(work)
    return calls.map((call) => answers.get(call) as Answer)
  }
}
