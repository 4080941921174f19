/**
 * A process of the property test of player protection: makes the calls that it is sent, all at once, with
 * connections and batches of orders of its own. Orders go through what the product itself calls; of the other
 * calls some are made in one statement, for each is as long as the test is.
 *
 * node protection-process.ts <database address> <the owner's database address>
 */
import { type Database, only, openDatabase } from '#src/db/database.ts'
import { betPlacer } from '#src/modules/bets/place-bet.ts'
import { refundRound, settleRound } from '#src/modules/bets/round-bets.ts'
import { isRefusal } from '#src/refusal/refusal.ts'
import { PATIENT_TO_CONNECT } from '../requests/patience.ts'
import type { Answer, Call } from './protection-calls.ts'

/** The calendar day of every booking: this test is not about the figures of days. */
const ON_DAY = '2026-11-20'
/** Calls in one statement, which holds the locks of all their players. */
const TOGETHER = 20

const [databaseUrl = '', ownerUrl = ''] = process.argv.slice(2)
const limits = { ...PATIENT_TO_CONNECT, lockMs: 90_000 }
const db = openDatabase(databaseUrl, { connectionsMax: 5, limits })
/** Deposits are credited by functions that the application's role calls only from within others. */
const owner = openDatabase(ownerUrl, { connectionsMax: 2, limits })
const placeBet = betPlacer({ db, onAccepted: () => {} })

async function place(order: Call & { act: 'order' }): Promise<Answer> {
  const { playerId, gameId, issue, stake, followId, key } = order
  const result = await placeBet({
    ...{ playerId, gameId, issue, stake, followId },
    ...{ roomId: gameId * 10 + 1, ruleIds: [1], idempotencyKey: key },
  })
  if (!isRefusal(result)) return { word: 'accepted', betId: result.bet.id }
  // No answer yet, on a busy machine: a client sends it again with its key.
  if (result.refused === 'unavailable' || result.refused === 'too_many_requests')
    return place(order)
  return { word: result.refused, ...(result.details ? { facts: result.details } : {}) }
}

/** The deposits of one statement are credited in their order. */
const CREDIT = `select case when reference in (
    select credited.reference from protection.credit_deposits(
      array(select row("playerId", '${ON_DAY}', amount, reference)::wallet.movement from asked order by place),
      array(select null::text from asked)) credited)
  then 'credited' else 'held' end`

/** Every call other than an order, on its row of `asked`. */
const SQL: Record<Exclude<Call['act'], 'order' | 'resolve'>, { by: Database; say: string }> = {
  deposit: { by: owner, say: CREDIT },
  limit: { by: db, say: 'select protection.set_limit("playerId", kind, period, amount)' },
  confirm: { by: db, say: 'select protection.confirm_raise("playerId", kind, period)' },
  acknowledge: { by: db, say: 'select protection.acknowledge_check("playerId")::text' },
  interval: {
    by: db,
    say: 'select protection.set_check("playerId", make_interval(mins => minutes))',
  },
  time_out: { by: db, say: `select protection.exclude("playerId", 'time_out', '24 hours')` },
}

async function sayTogether(act: keyof typeof SQL, calls: readonly Call[]): Promise<Answer[]> {
  const { by, say } = SQL[act]
  const numbered = calls.map((call, place) => ({ ...call, place }))
  const rows = await by.query<{ word: string }>(
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
  if (call.refund) await refundRound(db, call)
  else await settleRound(db, call, ON_DAY)
  return { word: 'resolved' }
}

async function answerAll(calls: readonly Call[]): Promise<Answer[]> {
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
          for (const [place, call] of together.entries()) answers.set(call, words[place] as Answer)
          return answers
        }),
      )
    }
  }
  await Promise.all(work)
  return calls.map((call) => answers.get(call) as Answer)
}

only(await db.query('select 1'))
process.on('message', async (calls: Call[]) => process.send?.(await answerAll(calls)))
process.on('disconnect', () => process.exit())
process.send?.('ready')
