/** Sends queued alerts by mail and by webhook, each until its receiver has it. */
import type { AlertKind, Fault } from '@sum28/contract/staff-start-routes.ts'
import type { SendOnce } from '#src/adapters/mail/send-once.ts'
import { MailRefused } from '#src/adapters/mail/transport.ts'
import { sendWebhook } from '#src/adapters/send-webhook.ts'
import type { Database } from '#src/db/database.ts'
import { gameNameOf } from '#src/modules/staff/audit.ts'
import type { Log } from '#src/process/log.ts'
import type { SecretCipher } from '#src/secrets/secret-cipher.ts'

/** `name`: of the game or room that it is about. `since`: as text, in UTC. */
type Alert = { id: number; kind: AlertKind; cause: string; name: string | null; since: string }

type Delivery = {
  id: string
  staffId: number | null
  email: string | null
  webhookId: number | null
  url: string | null
  salt: Buffer | null
  keyId: string | null
  alerts: Alert[]
}

/** `refused`: its address was, by a mail server that takes others. */
type Result = 'taken' | 'gone' | 'refused' | 'refused for good' | { failure: string }

/** Whose deliveries wait for the next minute: all mails, those of members, those of webhooks. */
type Failed = { mail: boolean; members: number[]; webhooks: number[] }

/** More alerts than these are counted in a mail, not named. */
const NAMED_MAX = 30

const FAULTS: Record<Fault, string> = {
  clocks_apart: 'Betting is stopped: the clocks of database and beacon disagree',
  chain_behind: 'The chain’s last ten minutes are not read: deposits wait',
  chain_uncompared: 'Chain and ledger were not compared today',
  draws_late: 'A round is drawn, settled or refunded late',
  books_unchecked: 'The books were not found right',
  owed_uncounted: 'What is owed was not counted today',
  reserves_short: 'Less is held than is owed',
  returns_unlikely: 'A return to players is unlikely',
  audit_unsigned: 'The audit log is not sealed',
  audit_broken: 'The audit log is not what was written',
  jobs_failed: 'A job has failed for good',
  log_waits: 'The public log waits',
  log_unwitnessed: 'A witness does not sign the public log in time',
  mail_away: 'Mails do not leave',
  codes_used_up: 'Half of a day’s codes by mail have been sent to strangers',
  staff_codes_guessed: 'Somebody has a member’s password, and gives wrong codes',
  seeds_short: 'A chain of seeds runs out: its game stops then',
}

const WITHDRAWAL = '/withdrawals/#/show'

/**
 * By the kind and the first word of a cause, whose name or number is `#`: the text, and the page of the console that
 * shows it.
 */
const CAUSES: Record<string, readonly [text: string, path: string]> = {
  'withdrawal_late withdrawal': ['Withdrawal # has waited for over an hour', WITHDRAWAL],
  'withdrawal_late payment': ['Withdrawal # has waited for its payment for over a day', WITHDRAWAL],
  'withdrawal_late unseen': ['The chain has not shown withdrawal # for over a day', WITHDRAWAL],
  'withdrawal_late bank_batch': [
    'Batch # has lacked its whole answer for over a day',
    '/bank-batches/#/show',
  ],
  'withdrawal_large withdrawal': ['Withdrawal # is large: it needs two persons', WITHDRAWAL],
  'second_person withdrawal': ['Withdrawal # needs a second approval', WITHDRAWAL],
  'second_person proposal': [
    'Proposal # needs another person',
    '/proposals?filter=%7B%22id%22%3A%22#%22%7D',
  ],
  'second_person freeze': ['Player # is frozen until an owner ends it', '/players/#/show'],
  'betting_stopped game': ['Betting is stopped: #', '/stops'],
  'betting_stopped room': ['Betting is stopped: #', '/stops'],
  'betting_stopped all': ['Betting is stopped: all games', '/stops'],
  'check_failed payout': ['The chain shows another payment than withdrawal #’s', WITHDRAWAL],
  'check_failed refund': [
    'The chain has not shown the refund of held deposit # for over a day',
    '/held-deposits/#/show',
  ],
  'check_failed passkey': ['A member’s passkey was copied: it opens nothing any more', '/members'],
  'check_failed difference': ['Chain and ledger differ (no. #)', '/chain-differences'],
}

/** In words, and the page of the console that shows it. */
function alertText({ kind, cause, name }: Omit<Alert, 'id' | 'since'>) {
  const [what = '', id = ''] = cause.split(':')
  const [text, path] = CAUSES[`${kind} ${what}`] ?? [FAULTS[what as Fault] ?? cause, '/']
  return { text: text.replace('#', name ?? id), path: path.replace('#', id) }
}

/**
 * Sends what is due, the oldest first. After a failure its receiver is left alone for a minute, and at most ten later:
 * a server that is away delays alerts and loses none, and an address that is refused delays those of nobody else. A
 * mail whose address alone is refused for good is dropped after a day. A webhook whose receiver says that it is gone (410) is
 * removed.
 *
 * Before each try the delivery is claimed, so that of several processes one sends it. Only a process that is killed
 * between the answer and its record sends twice, a mail with the same Message-ID, a webhook with the same id.
 */
export async function sendAlerts(
  deps: {
    db: Database
    /** Of this process: it remembers what it could not record. */
    send: SendOnce
    cipher: SecretCipher
    now: () => number
    consoleAt: string
    /** Whether webhooks may lead to private networks. */
    privateToo: boolean
    log: Log
  },
  signal: AbortSignal,
): Promise<void> {
  const { db, log } = deps
  const failed: Failed = { mail: false, members: [], webhooks: [] }
  while (!signal.aborted) {
    const delivery = await claim(db, failed)
    if (!delivery) return
    const { id, webhookId, staffId } = delivery
    const result = await (webhookId === null ? byMail(delivery) : byWebhook(delivery))
    if (signal.aborted) return
    if (result === 'taken') {
      await db.query('update staff.alert_delivery set sent_at = app.now() where id = $1', [id])
      await db.query(
        'update staff.webhook set failed_since = null, failure = null where id = $1 and failed_since is not null',
        [webhookId],
      )
    } else {
      log.warn({ webhook: webhookId, staffId, result }, 'an alert was not taken')
      if (webhookId !== null) {
        failed.webhooks.push(webhookId)
        await noteFailure(db, webhookId, result)
      } else if (result === 'refused' || result === 'refused for good') {
        failed.members.push(staffId ?? 0)
        if (result === 'refused for good') await dropIfOld(db, id)
      } else failed.mail = true
    }
  }

  async function byMail({ id, email, alerts }: Delivery): Promise<Result> {
    const lines = alerts.slice(0, NAMED_MAX).map((alert) => {
      const { text, path } = alertText(alert)
      return `${text}, since ${alert.since}\n${deps.consoleAt}${path}`
    })
    const more = alerts.length - NAMED_MAX
    const [first] = alerts
    const subject =
      alerts.length === 1 && first ? alertText(first).text : `${alerts.length} things need a person`
    try {
      await deps.send({
        id,
        to: email ?? '',
        subject,
        text: [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n\n'),
      })
      return 'taken'
    } catch (error) {
      if (error instanceof MailRefused && error.ofAddress)
        return error.forGood ? 'refused for good' : 'refused'
      return { failure: (error as Error).message }
    }
  }

  async function byWebhook({ id, url, salt, keyId, alerts }: Delivery): Promise<Result> {
    if (!deps.cipher.knows(keyId ?? '')) return { failure: 'its key is gone: add it anew' }
    return sendWebhook({
      ...deps,
      signal,
      url: url ?? '',
      secret: webhookSecret(deps.cipher, { salt: salt ?? Buffer.of(), keyId: keyId ?? '' }),
      now: deps.now(),
      body: JSON.stringify({
        id,
        alerts: alerts.map((alert) => {
          const { id, kind, cause, since } = alert
          const { text, path } = alertText(alert)
          return { id, kind, cause, since, text, url: `${deps.consoleAt}${path}` }
        }),
      }),
    })
  }
}

/** The secret of a webhook: nobody has it who has the database alone. */
export function webhookSecret(
  cipher: SecretCipher,
  { salt, keyId }: { salt: Buffer; keyId: string },
): string {
  return cipher.mac(salt, 'webhooks', keyId).toString('base64url')
}

/** The longest pause after a try, in minutes: one that ends later was reckoned on a clock that was ahead. */
const PAUSE_MAX = 10

/** Takes the oldest delivery that is due, for one try; one to somebody who is gone, or of alerts that are deleted, is dropped. */
async function claim(db: Database, failed: Failed): Promise<Delivery | undefined> {
  await db.query(
    `delete from staff.alert_delivery where sent_at is null
       and (staff_id in (select id from staff.member where not active or email is null)
         or not exists (select from staff.alert where alert.id = any (alert_ids)))`,
  )
  return db.first<Delivery>(
    `with due as (
       select id from staff.alert_delivery
       where sent_at is null and (try_at <= app.now() or try_at > app.now() + ${PAUSE_MAX} * interval '1 minute')
         and case when webhook_id is null then not $1 and staff_id <> all ($3) else webhook_id <> all ($2) end
       order by made_at, id limit 1 for update skip locked
     ), claimed as (
       update staff.alert_delivery set tries = tries + 1,
         try_at = app.now() + least(${PAUSE_MAX}, 2 ^ least(tries, 4)) * interval '1 minute'
       where id = (select id from due) returning *
     )
     select claimed.id, staff_id as "staffId", email, webhook_id as "webhookId", url, salt, key_id as "keyId",
       (select json_agg(json_build_object('id', alert.id, 'kind', kind, 'cause', cause,
            'name', ${gameNameOf('cause')},
            'since', to_char(since at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"')) order by alert.id)
          from staff.alert where alert.id = any (alert_ids)) as alerts
     from claimed left join staff.member on member.id = staff_id left join staff.webhook on webhook.id = webhook_id`,
    [failed.mail, failed.webhooks, failed.members],
  )
}

/**
 * Gives up a mail whose address has been refused for a day, if the server took other mails on that day. It stays, so that
 * its alerts are not queued for that member again.
 */
async function dropIfOld(db: Database, id: string): Promise<void> {
  await db.query(
    `update staff.alert_delivery set sent_at = app.now() where id = $1 and made_at < app.now() - interval '1 day'
       and exists (select from app.sent_mail
         where sent_at > (select app.now() - interval '1 day') and not given_up)`,
    [id],
  )
}

async function noteFailure(db: Database, id: number, result: Result): Promise<void> {
  if (result === 'gone') {
    await db.query(
      `with gone as (delete from staff.alert_delivery where webhook_id = $1 and sent_at is null)
       update staff.webhook set ended_at = app.now() where id = $1 and ended_at is null`,
      [id],
    )
    return
  }
  await db.query(
    `update staff.webhook set failed_since = coalesce(failed_since, app.now()), failure = $2 where id = $1`,
    [id, typeof result === 'string' ? result : result.failure],
  )
}
