import { formatAmount } from '@sum28/domain/money.ts'
import { formatOdds, oddsAreFair } from '@sum28/domain/odds.ts'
import { ruleById } from '@sum28/domain/outcomes.ts'
import type { Database, Queryable } from '#src/db/database.ts'
import { oddsOfRoom } from '#src/modules/games/catalog.ts'
import { asStaff } from '#src/modules/staff/as-staff.ts'
import { type AuditDetails, appendAudit } from '#src/modules/staff/audit.ts'
import { malformed, type Refusal, refuse, refuseByWord } from '#src/refusal/refusal.ts'
import {
  type ChangeRow,
  changedSince,
  changeRow,
  confirmProposal,
  endProposal,
  insertProposal,
  type Proposal,
  roomRow,
  waitingChange,
} from './change-store.ts'

/**
 * Proposes other limits or odds of a room; another person confirms them.
 *
 * @returns null, or not_found, rules_changed (the room has another version, with what has changed), already_proposed,
 * malformed (a return outside of the allowed range, limits in the wrong order, or no change)
 */
export async function proposeChange(
  db: Database,
  proposal: Proposal & { session: string },
): Promise<null | Refusal> {
  const { roomId, version, session } = proposal
  return asStaff(db, async (tx) => {
    const faults = await faultsOf(tx, proposal)
    if (faults) return faults
    const word = await insertProposal(tx, proposal)
    if (word === 'rules_changed') return rulesChanged(tx, { roomId, version })
    if (word !== 'proposed') return refuseByWord(word)
    const change = await waitingChange(tx, roomId)
    if (!change) throw new Error(`a change of room ${roomId} was proposed and is not there`)
    await appendAudit(tx, {
      session,
      action: 'room_change_proposed',
      subject: `room:${roomId}`,
      details: changeFacts(change),
    })
    return null
  })
}

/** Lists what has changed since the version that the person saw. */
async function rulesChanged(
  db: Queryable,
  { roomId, version }: { roomId: number; version: number },
): Promise<Refusal> {
  const changed = await changedSince(db, { roomId, version })
  const room = await roomRow(db, roomId)
  return refuse('rules_changed', {
    changed: changed.join(', '),
    rules_version: room?.rulesVersion ?? 0,
  })
}

/** What is wrong with a proposal that is based on the room's present rules; null if nothing is. */
async function faultsOf(db: Queryable, proposal: Proposal): Promise<Refusal | null> {
  const { roomId, version, odds } = proposal
  const room = await roomRow(db, roomId)
  if (!room) return refuse('not_found', { field: 'id' })
  if (room.rulesVersion !== version) return rulesChanged(db, { roomId, version })
  const { stakeMin = room.stakeMin, stakeMax = room.stakeMax, entryMin = room.entryMin } = proposal
  if (stakeMin === 0n) return malformed({ stake_min: 'required' })
  if (stakeMax < stakeMin) return malformed({ stake_max: 'stake_order' })
  const fair = odds.every(({ ruleId, oddsMilli }) =>
    oddsAreFair({ oddsMilli, ways: ruleById(ruleId)?.ways ?? 0 }),
  )
  if (!fair) return malformed({ odds: 'odds_return' })
  const offers = await oddsOfRoom(db, roomId)
  const otherOdds = odds.some(({ ruleId, oddsMilli }) =>
    offers.some((offer) => offer.ruleId === ruleId && offer.oddsMilli !== oddsMilli),
  )
  const otherLimits =
    stakeMin !== room.stakeMin || stakeMax !== room.stakeMax || entryMin !== room.entryMin
  return otherOdds || otherLimits ? null : malformed({ odds: 'nothing_changed' })
}

/**
 * Confirms a change that another person has proposed. It takes effect when the next round of its game opens.
 *
 * @returns null, or not_found, already_decided, second_person_needed, rules_changed
 */
export async function confirmChange(
  db: Database,
  { changeId, session }: { changeId: number; session: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await confirmProposal(tx, { changeId, session })
    const change = await changeRow(tx, changeId)
    if (word === 'rules_changed' && change) {
      return rulesChanged(tx, { roomId: change.roomId, version: change.rulesVersion })
    }
    if (word !== 'confirmed') return refuseByWord(word)
    if (!change) throw new Error(`change ${changeId} was confirmed and is not there`)
    await appendAudit(tx, {
      session,
      action: 'room_change_confirmed',
      subject: `room:${change.roomId}`,
      details: changeFacts(change),
    })
    return null
  })
}

/**
 * Ends a change that is not effective yet: the person who proposed it withdraws it, another person refuses it.
 *
 * @returns null, or not_found, already_decided
 */
export async function endChange(
  db: Database,
  { changeId, reason, session }: { changeId: number; reason: string | null; session: string },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const word = await endProposal(tx, { changeId, session })
    const change = await changeRow(tx, changeId)
    if (word !== 'withdrawn' && word !== 'refused') return refuseByWord(word)
    if (!change) throw new Error(`change ${changeId} was ended and is not there`)
    await appendAudit(tx, {
      session,
      action: `room_change_${word}`,
      subject: `room:${change.roomId}`,
      details: { ...changeFacts(change), reason },
    })
    return null
  })
}

/** What the log stores of a change: the differences, each as `before → after`. */
function changeFacts(change: ChangeRow): AuditDetails {
  const limits = [
    ['stake_min', change.stakeMinBefore, change.stakeMin],
    ['stake_max', change.stakeMaxBefore, change.stakeMax],
    ['entry_min', change.entryMinBefore, change.entryMin],
  ] as const
  return {
    change: Number(change.id),
    note: change.note,
    ...Object.fromEntries(
      limits
        .filter(([, before, after]) => before !== after)
        .map(([name, before, after]) => [name, `${formatAmount(before)} → ${formatAmount(after)}`]),
    ),
    ...Object.fromEntries(
      change.odds.map(({ outcome, before, after }) => [
        `odds ${outcome}`,
        `${formatOdds(before)} → ${formatOdds(after)}`,
      ]),
    ),
  }
}
