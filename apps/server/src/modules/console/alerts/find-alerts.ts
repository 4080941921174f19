/** Alerts: what members of staff are told of outside of the console, each cause once for as long as it lasts. */
import { rolesOf } from '@sum28/contract/staff-actions.ts'
import { PROPOSAL_KINDS, unseenKinds } from '@sum28/contract/staff-proposal-routes.ts'
import {
  type AlertKind,
  type Fault,
  FIRST_FAULTS,
  type Need,
} from '@sum28/contract/staff-start-routes.ts'
import type { Database } from '#src/db/database.ts'
import { readNeeds, SEEN_BY } from '#src/modules/console/figures/needs-store.ts'
import { DIFFERENCE_IS_DUE } from '#src/modules/deposits/compare-with-chain.ts'

/** The faults of the start page are causes by themselves: of these kinds, or of a check that failed. */
const KIND_OF: Partial<Record<Need, AlertKind>> = {
  clocks_apart: 'betting_stopped',
  chain_behind: 'chain_behind',
  draws_late: 'chain_behind',
} satisfies Partial<Record<Fault, AlertKind>>

/** The causes that each name one thing, with what a role must be allowed to see. */
const CAUSES = `
  select 'withdrawal_late' as kind, 'withdrawal:' || id as cause, requested_at as since,
    '${SEEN_BY.withdrawals_waiting}' as seen_by
  from withdrawals.withdrawal where state = 'waiting'
    -- At once, if it was requested on a clock that was ahead.
    and requested_at not between app.now() - interval '1 hour' and app.now()
    and withdrawals.waits_for(withdrawal, null) is not null
  union all
  select 'withdrawal_late', 'payment:' || id, decided_at, '${SEEN_BY.payouts_due}'
  from withdrawals.withdrawal where stage = 'to_pay' and decided_at < app.now() - interval '1 day'
    and withdrawals.waits_for(withdrawal, null) is not null
  union all
  select 'withdrawal_late', 'bank_batch:' || id, made_at, '${SEEN_BY.batches_open}'
  from console_money.bank_batch where state = 'open' and made_at < app.now() - interval '1 day'
  union all
  select 'withdrawal_late', 'unseen:' || id, paid_at, '${SEEN_BY.payouts_unseen}'
  from withdrawals.withdrawal where stage = 'on_chain' and paid_at < app.now() - interval '1 day'
  union all
  -- Since it was paid: a correction of its transaction begins no new day, but is read at the chain first.
  select 'check_failed', 'refund:' || held.id, paid_at, '${SEEN_BY.refunds_due}'
  from protection.held_deposit held cross join lateral (select max(confirmed_at) as paid_at from staff.proposal
    where subject = 'held_deposit:' || held.id and kind = 'refund' and state = 'confirmed') paid
  where refund_chain = 'awaited' and paid_at < app.now() - interval '1 day'
    and decided_at < app.now() - interval '10 minutes'
  union all
  select 'withdrawal_large', 'withdrawal:' || id, requested_at, '${SEEN_BY.withdrawals_waiting}'
  from withdrawals.withdrawal where state = 'waiting' and withdrawals.takes_two(withdrawal)
  union all
  select 'second_person', 'withdrawal:' || id, requested_at, '${SEEN_BY.withdrawals_waiting}'
  from withdrawals.withdrawal where state = 'waiting' and first_approved_by is not null
    and withdrawals.waits_for(withdrawal, null) is not null
  union all
  select 'second_person', 'proposal:' || id, proposed_at, kind from staff.proposal where state = 'proposed'
    and console_money.waits_for(proposal, null) is not null
  union all
  select 'second_person', 'freeze:' || player_id || ':' || id, frozen_at, '${SEEN_BY.accounts_frozen}'
  from accounts.freezing where lifted_at is null
  union all
  select 'betting_stopped', scope || ':' || subject_id || ':' || id, stopped_at, '${SEEN_BY.stops}' from games.stop
  union all
  select 'check_failed', 'difference:' || id, found_at, '${SEEN_BY.differences_found}'
  from deposits.chain_difference found where ${DIFFERENCE_IS_DUE}
  union all
  select 'check_failed', 'payout:' || id, paid_at, '${SEEN_BY.payouts_wrong}'
  from withdrawals.withdrawal where stage = 'payout_wrong'
  union all
  select 'check_failed', 'passkey:' || id, at, '${SEEN_BY.staff_codes_guessed}'
  from staff.audit where action = 'passkey_cloned' and at > app.now() - interval '1 day'`

/** Which role may see what, as pairs: an action, or a kind of proposals. */
const MAY = [
  ...[...new Set(Object.values(SEEN_BY))].flatMap((action) =>
    rolesOf(action).map((role) => ({ seen_by: action, role })),
  ),
  ...PROPOSAL_KINDS.flatMap((kind) =>
    rolesOf(SEEN_BY.proposals_waiting)
      .filter((role) => !unseenKinds(role).includes(kind))
      .map((role) => ({ seen_by: kind, role })),
  ),
]

/**
 * Finds new causes and those that have ended, and queues each new one for every member who wants its kind and whose
 * role may see it, and for every webhook of its kind. A member to whom nothing was mailed so far gets all open ones: he
 * has joined, or named his address, since they were found. Of several processes one does so at a time.
 *
 * @returns how many causes were queued
 */
export function findAlerts(db: Database): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtext('alerts'))`)
    const faults = (await readNeeds(tx, FIRST_FAULTS)).map(({ need, since }) => ({
      kind: KIND_OF[need] ?? 'check_failed',
      cause: need,
      since: since === null ? null : new Date(since),
      seen_by: SEEN_BY[need],
    }))
    await tx.query(
      `with causes as (${CAUSES}
         union all
         select kind, cause, coalesce(since, app.now()), seen_by
         from jsonb_to_recordset($1::jsonb) as fault (kind text, cause text, since timestamptz, seen_by text)
       ), present as (
         select kind, cause, seen_by, min(since) as since from causes group by kind, cause, seen_by
       ), ended as (
         update staff.alert set ended_at = app.now() where ended_at is null
           and not exists (select from present where present.kind = alert.kind and present.cause = alert.cause)
       )
       insert into staff.alert (kind, cause, seen_by, since) select kind, cause, seen_by, since from present
       where not exists (select from staff.alert
         where alert.kind = present.kind and alert.cause = present.cause and ended_at is null)
       order by since`,
      [JSON.stringify(faults)],
    )
    const told = await tx.query(
      `with told as (
         -- A cause that ended and came back within an hour is the same one, until it has lasted for ten minutes again.
         update staff.alert set told_at = app.now() where ended_at is null and told_at is null
           and (found_at <= app.now() - interval '10 minutes' or found_at > app.now() or not exists (select from staff.alert before
             where before.kind = alert.kind and before.cause = alert.cause
               and before.ended_at > app.now() - interval '1 hour'))
         returning id, kind, seen_by
       ), to_mail as (
         select id, kind, seen_by, true as is_new from told
         union all
         -- Of an earlier one nobody knows any more to whom it was mailed: \`jobs/prune.ts\`.
         select id, kind, seen_by, false from staff.alert
         where ended_at is null and told_at > app.now() - interval '30 days'
       ), by_mail as (
         insert into staff.alert_delivery (staff_id, alert_ids)
         select member.id, array_agg(to_mail.id order by to_mail.id)
         from to_mail join staff.member on to_mail.kind = any (alerts)
         where active and enrolled_at is not null and email is not null
           and (is_new or not exists (select from staff.alert_delivery where staff_id = member.id))
           and exists (select from jsonb_to_recordset($1::jsonb) as may (seen_by text, role text)
             where may.seen_by = to_mail.seen_by and may.role = member.role)
         group by member.id
       ), by_webhook as (
         insert into staff.alert_delivery (webhook_id, alert_ids)
         select webhook.id, array_agg(told.id order by told.id)
         from told join staff.webhook on told.kind = any (kinds) where webhook.ended_at is null
         group by webhook.id
       )
       select from told`,
      [JSON.stringify(MAY)],
    )
    return told.length
  })
}
