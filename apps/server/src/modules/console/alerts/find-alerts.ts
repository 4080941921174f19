/** Alerts: what members of staff are told of outside of the console, each cause once for as long as it lasts. */
import { rolesOf } from '@sum28/contract/staff-actions.ts'
import {
  ALERT_KINDS,
  ALERTS,
  type AlertKind,
  type Need,
} from '@sum28/contract/staff-start-routes.ts'
import type { Database } from '#src/db/database.ts'
import { readNeeds } from '#src/modules/console/figures/needs-store.ts'
import { DIFFERENCE_IS_DUE } from '#src/modules/deposits/compare-with-chain.ts'

/** The faults of the start page that are causes by themselves. */
const FAULTS: Partial<Record<Need, AlertKind>> = {
  clocks_apart: 'betting_stopped',
  chain_behind: 'chain_behind',
  draws_late: 'chain_behind',
  chain_uncompared: 'check_failed',
  books_unchecked: 'check_failed',
  owed_uncounted: 'check_failed',
  reserves_short: 'check_failed',
  returns_unlikely: 'check_failed',
  audit_unsigned: 'check_failed',
  audit_broken: 'check_failed',
  jobs_failed: 'check_failed',
  log_waits: 'check_failed',
  log_unwitnessed: 'check_failed',
  mail_away: 'check_failed',
}

const CAUSES = `
  select 'withdrawal_late' as kind, 'withdrawal:' || id as cause, requested_at as since
  from withdrawals.withdrawal where state = 'waiting' and requested_at < app.now() - interval '1 hour'
    and withdrawals.waits_for(withdrawal, null) is not null
  union all
  select 'withdrawal_late', 'bank_batch:' || id, made_at
  from console_money.bank_batch where state = 'open' and made_at < app.now() - interval '1 day'
  union all
  select 'withdrawal_large', 'withdrawal:' || id, requested_at
  from withdrawals.withdrawal where state = 'waiting' and withdrawals.takes_two(withdrawal)
  union all
  select 'second_person', 'withdrawal:' || id, requested_at
  from withdrawals.withdrawal where state = 'waiting' and first_approved_by is not null
  union all
  select 'second_person', 'proposal:' || id, proposed_at from staff.proposal where state = 'proposed'
  union all
  select 'betting_stopped', scope || ':' || subject_id, stopped_at from games.stop
  union all
  select 'check_failed', 'difference:' || id, found_at
  from deposits.chain_difference found where ${DIFFERENCE_IS_DUE}`

/** Within this time a cause that ended and came back is the same one. */
const SAME_WITHIN = '1 hour'

/** Who may be told of what, as pairs. */
const MAY = ALERT_KINDS.flatMap((kind) => rolesOf(ALERTS[kind]).map((role) => ({ kind, role })))

/**
 * Finds new causes and those that have ended, and queues each new one for every member who wants its kind and whose
 * role may see it, and for every webhook of its kind. Of several processes one does so at a time.
 *
 * @returns how many new causes there are
 */
export function findAlerts(db: Database): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtext('alerts'))`)
    const faults = (await readNeeds(tx, Object.keys(FAULTS) as Need[])).map(({ need, since }) => ({
      kind: FAULTS[need],
      cause: need,
      since: since === null ? null : new Date(since),
    }))
    const rows = await tx.query(
      `with causes as (${CAUSES}
         union all
         select kind, cause, coalesce(since, app.now())
         from jsonb_to_recordset($1::jsonb) as fault (kind text, cause text, since timestamptz)
       ), present as (
         select kind, cause, min(since) as since from causes group by kind, cause
       ), ended as (
         update staff.alert set ended_at = app.now() where ended_at is null
           and not exists (select from present where present.kind = alert.kind and present.cause = alert.cause)
       ), made as (
         insert into staff.alert (kind, cause, since) select kind, cause, since from present
         where not exists (select from staff.alert
           where alert.kind = present.kind and alert.cause = present.cause
             and (ended_at is null or ended_at > app.now() - $3::interval))
         order by since returning id, kind
       ), by_mail as (
         insert into staff.alert_delivery (staff_id, alert_ids)
         select member.id, array_agg(made.id order by made.id)
         from made join staff.member on made.kind = any (alerts)
         where active and enrolled_at is not null and email is not null
           and exists (select from jsonb_to_recordset($2::jsonb) as may (kind text, role text)
             where may.kind = made.kind and may.role = member.role)
         group by member.id
       ), by_webhook as (
         insert into staff.alert_delivery (webhook_id, alert_ids)
         select webhook.id, array_agg(made.id order by made.id)
         from made join staff.webhook on made.kind = any (kinds) where webhook.ended_at is null
         group by webhook.id
       )
       select from made`,
      [JSON.stringify(faults), JSON.stringify(MAY), SAME_WITHIN],
    )
    return rows.length
  })
}
