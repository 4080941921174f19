/**
 * Finds an order in which simultaneous calls of one player, in several processes, could have been made one after the
 * other, so that the model gives each call its real answer.
 */
import { isDeepStrictEqual } from 'node:util'
import { amountFromWire } from '@sum28/domain/money.ts'
import type { Answer, Call } from './protection-calls.ts'
import * as rules from './protection-model.ts'

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
  model: rules.ProtectionModel,
  { id, answered, now }: { id: number; answered: readonly Answered[]; now: number },
): void {
  const before = model.player(id)
  rules.forgetOldBets(before)
  const after: rules.ModelPlayer[] = []
  for (const order of ordersOf(answered)) {
    const player = structuredClone(before)
    if (order.every((each) => agrees(model, player, { ...each, now }))) after.push(player)
  }
  const [found] = after
  const calls = () =>
    JSON.stringify(answered, (_name, value) => (typeof value === 'bigint' ? String(value) : value))
  if (!found) throw new Error(`no order explains the calls of player ${id} at ${now}: ${calls()}`)
  if (!after.every((other) => isDeepStrictEqual(other, found))) {
    throw new Error(`two orders of the calls of player ${id} differ: ${calls()}`)
  }
  model.players.set(id, found)
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
  model: rules.ProtectionModel,
  player: rules.ModelPlayer,
  { call, answer, bets = [], now }: Answered & { now: number },
): boolean {
  switch (call.act) {
    case 'order':
      return orderAgrees(model, player, { stake: call.stake, answer, now })
    case 'deposit':
      return answer.word === (model.deposit(player, call.amount, now) ? 'credited' : 'held')
    case 'limit':
      return answer.word === rules.setLimit(player, call, now)
    case 'confirm':
      return answer.word === rules.confirmRaise(player, call, now)
    case 'acknowledge':
      return answer.word === String(rules.acknowledge(player, now))
    case 'interval':
      return answer.word === rules.setCheck(player, call.minutes, now)
    case 'time_out':
      return answer.word === rules.timeOut(player, now)
    case 'resolve':
      for (const { ref, back } of bets) rules.giveBack(player, ref, back)
      return true
  }
}

function orderAgrees(
  model: rules.ProtectionModel,
  player: rules.ModelPlayer,
  { stake, answer, now }: { stake: bigint; answer: Answer; now: number },
): boolean {
  const reason = model.judgeStake(player, stake, now)
  if (answer.word !== (reason ?? 'accepted')) return false
  const { facts = {} } = answer
  if (reason === 'limit_reached') {
    const left = model.left(player, facts.limit as 'stake', facts.period as 'day', now)
    return left < stake && amountFromWire(String(facts.left)) === (left < 0n ? 0n : left)
  }
  if (reason === 'reality_check_due') {
    const sums = rules.sessionSums(player, now)
    const told = [facts.staked, facts.won].map((amount) => amountFromWire(String(amount)))
    return told[0] === sums?.staked && told[1] === sums?.paidOut
  }
  if (reason === null) model.stake(player, { ref: String(answer.betId), total: stake, now })
  return true
}
