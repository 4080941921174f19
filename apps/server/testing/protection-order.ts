/**
 * Finds an order in which simultaneous calls of one player, in several processes, could have been made one after the
 * other, so that the model gives each call its real answer.
 */
import { amountFromWire } from '@sum28/domain/money.ts'
import type { Call, Said } from './protection-calls.ts'
import type { ProtectionModel } from './protection-model.ts'

/** A call of a player and its answer; for a settled round his bets in it, with their payouts. */
export type Answered = { call: Call; said: Said; bets?: readonly { ref: string; back: bigint }[] }

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
  let found: { order: readonly Answered[]; summary: string } | null = null
  for (const order of ordersOf(answered)) {
    if (order.every((each) => agrees(model, { ...each, id, now }))) {
      const summary = model.summary(id)
      if (found && found.summary !== summary) {
        throw new Error(`two orders of the calls of player ${id} differ: ${tell(answered)}`)
      }
      found ??= { order, summary }
    }
    putBack()
  }
  if (!found) {
    throw new Error(`no order explains the calls of player ${id} at ${now}: ${tell(answered)}`)
  }
  for (const each of found.order) agrees(model, { ...each, id, now })
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
  { id, call, said, bets = [], now }: Answered & { id: number; now: number },
): boolean {
  switch (call.act) {
    case 'order':
      return orderAgrees(model, { id, stake: call.stake, said, now })
    case 'deposit':
      return said.word === (model.deposit(id, call.amount, now) ? 'credited' : 'held')
    case 'limit':
      return said.word === model.setLimit(id, call.kind, call.period, call.amount, now)
    case 'confirm':
      return said.word === model.confirmRaise(id, call.kind, call.period, now)
    case 'acknowledge':
      return said.word === String(model.acknowledge(id, now))
    case 'interval':
      return said.word === model.setCheck(id, call.minutes, now)
    case 'time_out':
      return said.word === model.timeOut(id, 24, now)
    case 'resolve':
      for (const { ref, back } of bets) model.giveBack(id, ref, back)
      return true
  }
}

function orderAgrees(
  model: ProtectionModel,
  { id, stake, said, now }: { id: number; stake: bigint; said: Said; now: number },
): boolean {
  const reason = model.judgeStake(id, stake, now)
  if (said.word !== (reason ?? 'accepted')) return false
  const { facts = {} } = said
  if (reason === 'limit_reached') {
    const left = model.left(id, facts.limit as 'stake', facts.period as 'day', now)
    return left < stake && amountFromWire(String(facts.left)) === (left < 0n ? 0n : left)
  }
  if (reason === 'reality_check_due') {
    const { staked, returned } = model.session(id, now) ?? { staked: -1n, returned: -1n }
    const told = [facts.staked, facts.won].map((amount) => amountFromWire(String(amount)))
    return told[0] === staked && told[1] === returned
  }
  if (reason === null) model.stake(id, { ref: String(said.betId), total: stake, now })
  return true
}

function tell(answered: readonly Answered[]): string {
  return JSON.stringify(answered, (_name, value) =>
    typeof value === 'bigint' ? String(value) : value,
  )
}
