import type { WireUnmatchedTransfer } from '@sum28/contract/staff-transfer-routes.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import { unixSeconds, unixSecondsOrNull } from '#src/wire-form.ts'
import type { UnmatchedTransfer } from './assignment-store.ts'

/** An unmatched transfer, with what staff decided about it. */
export function unmatchedWire(transfer: UnmatchedTransfer): WireUnmatchedTransfer {
  return {
    tx_id: transfer.txId,
    log_index: transfer.logIndex,
    block: transfer.block,
    from: transfer.from,
    to: transfer.to,
    quantity: formatAmount(transfer.amount),
    createtime: unixSeconds(transfer.at),
    state: transfer.state,
    assignment: assignmentWire(transfer),
  }
}

function assignmentWire(transfer: UnmatchedTransfer): WireUnmatchedTransfer['assignment'] {
  const { assignmentId: id, note, proposedBy, proposedAt, decidedAt } = transfer
  if (id === null || note === null || proposedBy === null || proposedAt === null) return null
  return {
    id,
    user_id: transfer.playerId,
    username: transfer.username,
    note,
    proposed_by: proposedBy,
    proposed_at: unixSeconds(proposedAt),
    decided_by: transfer.decidedBy,
    decided_at: unixSecondsOrNull(decidedAt),
  }
}
