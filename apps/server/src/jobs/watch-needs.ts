/** What the installation needs, outside of the console: as metrics, and as parts of /readyz. */
import { NEEDS } from '@sum28/contract/staff-start-routes.ts'
import type { Registry } from 'prom-client'
import { SEND_MAIL_JOB } from '#src/adapters/mail/outbox.ts'
import { orNull } from '#src/concurrency/concurrency.ts'
import type { Queryable } from '#src/db/database.ts'
import { showFigure, showFigures } from '#src/db/pool-metrics.ts'
import { readOneByOne } from '#src/db/shared-reads.ts'
import { readNeeds } from '#src/modules/console/figures/needs-store.ts'
import { SEND_PUSH_JOB } from '#src/modules/inbox/notify.ts'
import type { AuditHeads } from '#src/modules/staff/audit-heads.ts'

/** Registers the needs of the console's start page, each with the age of its oldest. */
export function showNeeds(registry: Registry, deps: { db: Queryable; now: () => number }): void {
  const read = readOneByOne(() => readNeeds(deps.db))
  const none = Object.fromEntries(NEEDS.map((need) => [need, 0]))
  showFigures(
    registry,
    {
      name: 'sum28_needs',
      label: 'need',
      help: 'Tasks and faults that wait for a person, as on the console’s start page.',
    },
    async () => {
      const rows = await read()
      return { ...none, ...Object.fromEntries(rows.map(({ need, count }) => [need, count])) }
    },
  )
  showFigures(
    registry,
    {
      name: 'sum28_need_age_seconds',
      label: 'need',
      help: 'Since when the oldest of them waits.',
    },
    async () => {
      const rows = await read()
      const ages = rows.map(({ need, since }) => [
        need,
        since === null ? 0 : Math.max(0, deps.now() - since) / 1_000,
      ])
      return { ...none, ...Object.fromEntries(ages) }
    },
  )
}

/** Registers for how long the oldest job waits. Mails that are tried again are the need `mail_away`, pushes nobody's. */
export function showJobs(registry: Registry, db: Queryable): void {
  showFigure(
    registry,
    {
      name: 'sum28_job_age_seconds',
      help: 'Since when the oldest job that is due waits, is being worked on or is tried again.',
    },
    () =>
      db.value(
        `select coalesce(extract(epoch from now() - min(
             case when attempts = 0 or task_identifier = any ($1) then run_at else created_at end)), 0)::float8
           from graphile_worker.jobs
           where attempts < max_attempts and (run_at <= now() or attempts > 0 and task_identifier <> all ($1))`,
        [[SEND_MAIL_JOB, SEND_PUSH_JOB]],
      ),
  )
}

/** Registers what the database tells everybody of its archive and its replicas. */
export function showDatabase(registry: Registry, db: Queryable): void {
  const read = readOneByOne(
    async () =>
      await db.one<{
        age: number | null
        behind: number | null
        replicas: number
        synchronous: boolean
      }>(`select (select count(*)::integer from pg_stat_replication) as replicas,
           current_setting('synchronous_standby_names') <> '' as synchronous,
           case when current_setting('archive_mode') <> 'off' then
             extract(epoch from now() - coalesce(last_archived_time, stats_reset))::float8 end as age,
           case when last_archived_wal ~ '^[0-9A-F]{24}' then
             (pg_current_wal_lsn() - (substr(last_archived_wal, 9, 8) || '/' || substr(last_archived_wal, 23, 2)
               || '000000')::pg_lsn)::float8 end as behind
         from pg_stat_archiver`),
  )
  showFigure(
    registry,
    {
      name: 'sum28_archive_age_seconds',
      help: 'When a file of the database’s log was last archived; nothing where none is.',
    },
    async () => (await read()).age,
  )
  showFigure(
    registry,
    {
      name: 'sum28_archive_behind_bytes',
      help: 'How much of the database’s log is newer than the file that was archived last; nothing where none is.',
    },
    async () => (await read()).behind,
  )
  showFigure(
    registry,
    { name: 'sum28_replicas', help: 'Replicas, and base backups, that read the database’s log.' },
    async () => (await read()).replicas,
  )
  showFigure(
    registry,
    {
      name: 'sum28_commits_synchronous',
      help: 'Whether a commit is answered only when a second machine has it.',
    },
    async () => Number((await read()).synchronous),
  )
}

/** Registers since when rows of the audit log are not covered by the file of its ends. */
export function showUnwritten(
  registry: Registry,
  { db, heads }: { db: Queryable; heads: AuditHeads },
): void {
  showFigure(
    registry,
    {
      name: 'sum28_audit_unwritten_seconds',
      help: 'The age of the oldest row of the audit log that no end in this process’s file covers that is still in the log.',
    },
    async () => {
      const written = heads.all()
      return db.value(
        `select coalesce(extract(epoch from app.now() - min(at)), 0)::float8
         from staff.audit where id > coalesce((
           select max(head.id) from unnest($1::bigint[], $2::text[]) as head (id, hash)
           join staff.audit on audit.id = head.id and audit.hash = decode(head.hash, 'hex')), 0)`,
        [written.map(({ id }) => id), written.map(({ hash }) => hash)],
      )
    },
  )
}

/** Parts of /readyz: whether the chain is read, and whether mail is sent. */
export async function jobParts(db: Queryable) {
  const needs = await orNull(readNeeds(db, ['chain_behind', 'mail_away']))
  const is = (name: string) => needs?.every(({ need }) => need !== name) ?? false
  return { chain: is('chain_behind'), mail: is('mail_away') }
}
