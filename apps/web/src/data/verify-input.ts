/** Makes the input of the check from a published round or a receipt. Part of the worker. */
import { amountFromWire } from '@sum28/domain/money.ts'
import { parseOdds } from '@sum28/domain/odds.ts'
import type { ReceiptOrder, VerifyRoundInput } from '@sum28/fairness/verify-round.ts'
import type { CheckInput } from '#src/data/draw-check.ts'
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
    payout: receipt.settled_at === null ? null : microOf(receipt.payout),
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
