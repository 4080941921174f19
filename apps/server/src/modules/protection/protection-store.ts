/** The SQL of player protection: players' settings and the state of their limits. */
import type { Amount } from '@sum28/domain/money.ts'
import { callFunction, type Queryable, type Transaction } from '#src/db/database.ts'
import { readPage } from '#src/db/list.ts'
import { NOTIFY_FROM } from '#src/modules/inbox/notify.ts'
import type { LimitKind, LimitPeriod } from './protection-terms.ts'

export type OfLimit = { playerId: number; kind: LimitKind; period: LimitPeriod }

/**
 * Sets a player's own limit, in micro-units; null: none.
 *
 * @param change `logged`: whether the player's log has an entry of it
 * @returns `lowered`: it applies now; `raise_asked`: it can be confirmed 24 hours later; `same`
 */
export function setLimit(
  db: Queryable,
  change: OfLimit & { amount: Amount | null; logged?: boolean },
): Promise<'lowered' | 'raise_asked' | 'same'> {
  const { playerId, kind, period, amount, logged = true } = change
  return callFunction(db, 'protection.set_limit', playerId, kind, period, amount, logged)
}

/** Confirms a higher limit that was requested at least 24 hours ago, and at most seven days before that. */
export function confirmRaise(
  db: Queryable,
  { playerId, kind, period }: OfLimit,
): Promise<'raised' | 'not_asked' | 'too_early' | 'excluded'> {
  return callFunction(db, 'protection.confirm_raise', playerId, kind, period)
}

/** @param everyMinutes from 15 to 240 */
export function setRealityCheck(
  db: Queryable,
  { playerId, everyMinutes }: { playerId: number; everyMinutes: number },
): Promise<'set' | 'reality_check_due'> {
  return callFunction(db, 'protection.set_check', playerId, `${everyMinutes} minutes`)
}

/** @returns whether a check was due */
export function acknowledgeRealityCheck(db: Queryable, playerId: number): Promise<boolean> {
  return callFunction(db, 'protection.acknowledge_check', playerId)
}

/** @param lasting an interval as PostgreSQL reads it, such as `24 hours` or `6 months` */
export function exclude(
  db: Queryable,
  {
    playerId,
    kind,
    lasting,
  }: { playerId: number; kind: 'time_out' | 'self_exclusion'; lasting: string },
): Promise<'begun' | 'already_excluded'> {
  return callFunction(db, 'protection.exclude', playerId, kind, lasting)
}

export function lastBreakEnds(db: Queryable, playerId: number): Promise<number> {
  return db.value(
    `select ends_at from protection.exclusion
     where player_id = $1 and kind <> 'likeness' order by id desc limit 1`,
    [playerId],
  )
}

/** Requests the end of a self-exclusion whose time is over; the end comes 24 hours later. */
export function requestEnd(
  db: Queryable,
  playerId: number,
): Promise<'end_requested' | 'not_excluded' | 'too_early'> {
  return callFunction(db, 'protection.request_end', playerId)
}

/**
 * Credits held deposits that are no longer blocked.
 *
 * @param onDay the day of booking, in the operator's time zone
 */
export function releaseDeposits(
  db: Queryable,
  { onDay, max = 100 }: { onDay: string; max?: number },
): Promise<{ playerId: number; amount: Amount }[]> {
  return db.query(
    'select player_id as "playerId", amount from protection.release_deposits($1, $2)',
    [max, onDay],
  )
}

/** Whether a deposit was held instead of credited, by the reference of its posting. */
export function isHeld(db: Queryable, reference: string): Promise<boolean> {
  return db.exists(`select from protection.held_deposit where reference = $1 and state = 'held'`, [
    reference,
  ])
}

export type LimitNow = {
  kind: LimitKind
  period: LimitPeriod
  /** The player's own, in micro-units like all amounts here; null: none. */
  ownAmount: Amount | null
  /** The lowest limit that applies to him, and who set it; null: none. */
  amount: Amount | null
  source: 'player' | 'operator' | 'law' | null
  used: Amount
  beginsAnewAt: number
  raiseAskedAt: number | null
  raiseAmount: Amount | null
}

/** All nine limits of a player, including those that he has not set. */
export function limitsNow(db: Queryable, playerId: number): Promise<LimitNow[]> {
  return db.query(
    `select kind, period, own_amount as "ownAmount", amount, source, used, begins_anew_at as "beginsAnewAt",
       raise_asked_at as "raiseAskedAt", raise_amount as "raiseAmount"
     from protection.limits_now($1)`,
    [playerId],
  )
}

export type ProtectionNow = {
  checkMinutes: number
  /** Of the present session; null without one. */
  beganAt: number | null
  staked: Amount
  won: Amount
  checkAt: number | null
  excludedBy: 'time_out' | 'self_exclusion' | 'likeness' | 'under_age' | null
  /** Null: it has no end. */
  excludedUntil: number | null
  mayAskFrom: number | null
}

export function protectionNow(db: Queryable, playerId: number): Promise<ProtectionNow | undefined> {
  return db.first<ProtectionNow>(
    `select check_minutes as "checkMinutes", began_at as "beganAt", staked, won, check_at as "checkAt",
       excluded_by as "excludedBy", excluded_until as "excludedUntil", may_ask_from as "mayAskFrom"
     from protection.standing_now($1)`,
    [playerId],
  )
}

export type HeldDeposit = {
  id: bigint
  amount: Amount
  because: 'limit' | 'excluded' | 'review'
  heldAt: number
  /** Its player asked for it, or staff have paid it back and that payment is not seen or came back. */
  isAskedBack: boolean
}

/** The most held deposits that a player is shown: dust last. */
const HELD_MAX = 100

export function heldDeposits(db: Queryable, playerId: number): Promise<HeldDeposit[]> {
  return db.query(
    `select id, amount, because, held_at as "heldAt", asked_back_at is not null or state <> 'held' as "isAskedBack"
     from protection.held_deposit held
     where player_id = $1 and protection.is_unresolved(held) order by amount >= $2 desc, id desc limit $3`,
    [playerId, NOTIFY_FROM, HELD_MAX],
  )
}

/** A held deposit is to be paid back, and is not credited any more. */
export function askBack(
  db: Queryable,
  { playerId, id }: { playerId: number; id: number },
): Promise<'asked' | 'not_found' | 'decided' | 'below_minimum'> {
  return callFunction(db, 'protection.ask_back', playerId, id)
}

/** Marks and returns higher limits that can be confirmed now, until an instant, and whose players were not notified. */
export function takePossibleRaises(
  tx: Transaction,
  max: number,
): Promise<(OfLimit & { until: number })[]> {
  return tx.query(
    `select player_id as "playerId", kind, period, until from protection.take_possible_raises($1)`,
    [max],
  )
}

export type Change = {
  id: bigint
  at: number
  what: string
  details: Record<string, string | number | null>
}

/** A player's own log of changes, newest first, one page of it, and their total number. */
export function changesOf(
  db: Queryable,
  { playerId, ...paging }: { playerId: number; limit: number; offset: number },
): Promise<{ rows: Change[]; total: number }> {
  const count = 'select count(*) as "allRows" from protection.change where player_id = $1'
  const page = `select id, at, what, details, (${count}) as "allRows" from protection.change
    where player_id = $1 order by id desc limit $2 offset $3`
  return readPage<Change>(db, { page, count }, { values: [playerId], ...paging })
}
