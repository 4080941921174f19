/** Makes the input of the check from a published round or a receipt, and checks the log. Part of the worker. */
import { amountFromWire } from '@sum28/domain/money.ts'
import { parseOdds } from '@sum28/domain/odds.ts'
import { endSeenAt, type LogStep, verifyLog } from '@sum28/fairness/logged-round.ts'
import { seenLog } from '@sum28/fairness/seen-log.ts'
import {
  type ReceiptOrder,
  type VerifyRoundInput,
  verifyRound,
} from '@sum28/fairness/verify-round.ts'
import type { CheckInput, CheckStep, OwnCheck } from '#src/data/check-worker.ts'
import type { Receipt } from '#src/data/receipt.ts'

export function verifyInput({ round, receipt, fetchedAt }: CheckInput): VerifyRoundInput {
  return {
    round,
    endedAt: endSeenAt(round),
    // What is overdue by one of the clocks alone accuses nobody.
    ...(fetchedAt && { now: Math.min(...fetchedAt) }),
    ...(receipt && {
      receipt: { ...receipt.proof, leaf_index: receipt.proof.leaf_index ?? -1 },
      order: orderOf(receipt),
    }),
  }
}

export function ownCheck(input: CheckInput): OwnCheck {
  const { round, receipt, published } = input
  const steps = [...verifyRound(verifyInput(input)), ...logSteps(input)]
  if (!round.log) return { steps, log: null }
  const shown = seenLog(round.log, { round, signed: receipt?.proof.signed })
  const told = receipt ? published : round
  return { steps, log: { shown, told: told?.log ? seenLog(told.log, { round: told }) : null } }
}

/** What the public log proves: its own steps as one, then those of witness and receipt. */
function logSteps(input: CheckInput): CheckStep[] {
  const { steps, areApart } = stepsByClocks(input)
  const isApart = ({ name }: LogStep) => name === 'witness' || name === 'receipt-signature'
  const ofLog = steps.filter((step) => !isApart(step))
  // The first failure is shown, or what has no result, or the log's root.
  const shown =
    ofLog.find(({ ok }) => ok === false) ??
    ofLog.find(({ ok }) => ok === null) ??
    ofLog.find(({ name }) => name === 'log-entries')
  return [
    ...(shown ? [{ ...shown, name: 'log' as const }] : []),
    ...(areApart ? [{ name: 'clock' as const, ok: null, computed: null, published: null }] : []),
    ...(steps.filter(isApart) as CheckStep[]),
  ]
}

/** What is missing by one of the clocks alone accuses nobody. */
function stepsByClocks({ round, receipt, fetchedAt = [] }: CheckInput): {
  steps: LogStep[]
  areApart: boolean
} {
  const [now, ...others] = new Set(fetchedAt)
  const of = (at?: number) =>
    verifyLog({ round, receipt: receipt?.proof, ...(at !== undefined && { now: at }) })
  const steps = of(now)
  const areApart = others.some((other) => faultsOf(of(other)) !== faultsOf(steps))
  return { steps: areApart ? of() : steps, areApart }
}

function faultsOf(steps: readonly LogStep[]): string {
  return steps.flatMap(({ name, ok }) => (ok === false ? name : [])).join()
}

function orderOf({ selections, ...receipt }: Receipt): ReceiptOrder {
  return {
    orderNo: receipt.orderNo,
    gameId: receipt.game_id,
    issue: receipt.issue,
    planId: receipt.plan_id,
    playType: receipt.play_type,
    classes: selections.map((selection) => selection.class),
    oddsMilli: selections.map(({ odds }) => parseOdds(odds) ?? Number.NaN),
    stakes: selections.map(({ stake }) => microOf(stake)),
    total: microOf(receipt.quantity),
    rulesVersion: receipt.rules_version,
    lotteryCode: receipt.lottery_code,
    settlement:
      receipt.settled_at === null
        ? null
        : {
            payout: microOf(receipt.payout),
            status: receipt.status,
            profit: microOf(receipt.profit),
            whetherHit: receipt.whether_hit,
            payouts: selections.map(({ payout }) => microOf(payout)),
            hits: selections.map(({ hit }) => hit),
          },
  }
}

function microOf(stake: string): bigint {
  try {
    return amountFromWire(stake)
  } catch {
    return -1n
  }
}
