/**
 * Finds an order in which simultaneous calls of one player, in several processes, could have been made one after the
 * other, so that the model gives each call its real answer.
 */
import { amountFromWire } from '@sum28/domain/money.ts'
import type { Answer, Call } from './protection-calls.ts'
import type { ProtectionModel } from './protection-model.ts'

/** A call of a player and its answer; for a settled round his bets in it, with their payouts. */
export type Answered = {
  call: Call
  answer: Answer
  bets?: readonly { ref: string; back: bigint }[]
}

/**
 * Makes a player's calls in the model, in an order that explains every answer.
 *
 * @throws if there is none, or if two orders lead to different states of the player: then the calls of the test
 * cannot show which is true
 */
export function explain(
  model: ProtectionModel,
  { id, answered, now }: { id: number; answered: readonly Answered[]; now: number },
): void {
  const putBack = model.standing(id)
  let match: { order: readonly Answered[]; summary: string } | null = null
  for (const order of ordersOf(answered)) {
    if (order.every((each) => agrees(model, { ...each, id, now }))) {
      const summary = model.summary(id)
      if (match && match.summary !== summary) {
        throw new Error(`two orders of the calls of player ${id} differ: ${textOf(answered)}`)
      }
      match ??= { order, summary }
    }
    putBack()
  }
  if (!match) {
    throw new Error(`no order explains the calls of player ${id} at ${now}: ${textOf(answered)}`)
  }
  for (const each of match.order) agrees(model, { ...each, id, now })
}

function* ordersOf<Each>(all: readonly Each[]): Generator<readonly Each[]> {
  if (all.length < 2) yield all
  else
    for (const [at, first] of all.entries()) {
      for (const rest of ordersOf(all.toSpliced(at, 1))) yield [first, ...rest]
    }
}

/** Makes a call in the model, and returns whether its answer is the same. */
function agrees(
  model: ProtectionModel,
  { id, call, answer, bets = [], now }: Answered & { id: number; now: number },
): boolean {
  switch (call.act) {
    case 'order':
      return orderAgrees(model, { id, stake: call.stake, answer, now })
    case 'deposit':
      return answer.word === (model.deposit(id, call.amount, now) ? 'credited' : 'held')
    case 'limit':
      return answer.word === model.setLimit(id, call.kind, call.period, call.amount, now)
    case 'confirm':
      return answer.word === model.confirmRaise(id, call.kind, call.period, now)
    case 'acknowledge':
      return answer.word === String(model.acknowledge(id, now))
    case 'interval':
      return answer.word === model.setCheck(id, call.minutes, now)
    case 'time_out':
      return answer.word === model.timeOut(id, 24, now)
    case 'resolve':
      for (const { ref, back } of bets) model.giveBack(id, ref, back)
      return true
  }
}

function orderAgrees(
  model: ProtectionModel,
  { id, stake, answer, now }: { id: number; stake: bigint; answer: Answer; now: number },
): boolean {
  const reason = model.judgeStake(id, stake, now)
  if (answer.word !== (reason ?? 'accepted')) return false
  const { facts = {} } = answer
  if (reason === 'limit_reached') {
    const left = model.left(id, facts.limit as 'stake', facts.period as 'day', now)
    return left < stake && amountFromWire(String(facts.left)) === (left < 0n ? 0n : left)
  }
  if (reason === 'reality_check_due') {
    const { staked, paidOut } = model.session(id, now) ?? { staked: -1n, paidOut: -1n }
    const amounts = [facts.staked, facts.won].map((amount) => amountFromWire(String(amount)))
    return amounts[0] === staked && amounts[1] === paidOut
  }
  if (reason === null) model.stake(id, { ref: String(answer.betId), total: stake, now })
  return true
}

function textOf(answered: readonly Answered[]): string {
  return JSON.stringify(answered, (_name, value) =>
    typeof value === 'bigint' ? String(value) : value,
  )
}
