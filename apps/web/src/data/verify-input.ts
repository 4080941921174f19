/** Makes the input of the check from a published round or a receipt, and checks the log. Part of the worker. */
import { amountFromWire } from '@sum28/domain/money.ts'
import { parseOdds } from '@sum28/domain/odds.ts'
import { type LogStep, signersOf, verifyLog } from '@sum28/fairness/logged-round.ts'
import {
  formatVerifierKey,
  readVerifierKey,
  type VerifierKey,
} from '@sum28/fairness/signed-note.ts'
import type { ReceiptOrder, VerifyRoundInput } from '@sum28/fairness/verify-round.ts'
import type { CheckInput, CheckStep } from '#src/data/draw-check.ts'
import type { Receipt } from '#src/data/receipt.ts'

export function verifyInput({ round, receipt }: CheckInput): VerifyRoundInput {
  return {
    round,
    ...(receipt && {
      receipt: { ...receipt.proof, leaf_index: receipt.proof.leaf_index ?? -1 },
      order: orderOf(receipt),
    }),
  }
}

/** What the public log proves: its own steps as one, then those of witness and receipt. */
export function logSteps({ round, receipt }: CheckInput): CheckStep[] {
  const steps = verifyLog({ round, receipt: receipt?.proof })
  const isApart = ({ name }: LogStep) => name === 'witness' || name === 'receipt-signature'
  const ofLog = steps.filter((step) => !isApart(step))
  // The first failure is shown, or what has no result, or the log's root.
  const shown =
    ofLog.find(({ ok }) => ok === false) ??
    ofLog.find(({ ok }) => ok === null) ??
    ofLog.find(({ name }) => name === 'log-entries')
  const apart = steps.filter(isApart) as CheckStep[]
  return [...(shown ? [{ ...shown, name: 'log' as const }] : []), ...apart, ...keysSteps(round)]
}

/** The keys that signed, beside all that the answer names: whether this device knows them, `keysStep` judges. */
function keysSteps(round: CheckInput['round']): CheckStep[] {
  const signers = signersOf(round)
  const named = round.log?.keys.flatMap((text) => readVerifierKey(text) ?? []) ?? []
  const inLines = (keys: readonly VerifierKey[]) =>
    keys.map((key) => `${key.type} ${formatVerifierKey(key)}`).join('\n')
  if (signers.length === 0) return []
  return [{ name: 'keys', ok: null, computed: inLines(signers), published: inLines(named) }]
}

function orderOf({ orderNo, play_type, selections, ...receipt }: Receipt): ReceiptOrder {
  const { plan_id: planId, rules_version: rulesVersion } = receipt
  const stakes = new Set(selections.map(({ stake }) => stake))
  const classes = JSON.stringify(selections.map((selection) => selection.class))
  const [stake] = stakes
  const { game_id, issue } = receipt.proof
  const ofRound = receipt.game_id === game_id && receipt.issue === issue
  return {
    // The order of another round must not be verified.
    orderNo: ofRound ? orderNo : `${orderNo} (${receipt.game_id}, ${receipt.issue})`,
    // The leaf has one list and one stake: a receipt that contradicts itself must not match.
    playType: classes === play_type ? play_type : `${play_type} ${classes}`,
    oddsMilli: selections.map(({ odds }) => parseOdds(odds) ?? Number.NaN),
    stake: stakes.size === 1 && stake !== undefined ? microOf(stake) : -1n,
    ...(receipt.settled_at === null
      ? { payout: null, status: null, profit: null }
      : {
          payout: microOf(receipt.payout),
          status: receipt.status,
          profit: microOf(receipt.profit),
        }),
    ...{ planId, rulesVersion },
  }
}

function microOf(stake: string): bigint {
  try {
    return amountFromWire(stake)
  } catch {
    return -1n
  }
}
