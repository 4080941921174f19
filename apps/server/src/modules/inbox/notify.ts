/** Notifies a player of an event of his account: inside the app, and by mail. */
import { TRIES_FOR_MS } from '@sum28/contract/client.ts'
import type { PUSH_TOPICS } from '@sum28/contract/push-topics.ts'
import { type Amount, MICRO } from '@sum28/domain/money.ts'
import { type Language, languageOf } from '@sum28/i18n/languages.ts'
import { hasMessage, type MessageKey, translate } from '@sum28/i18n/translate.ts'
import { queueOutbox } from '#src/adapters/mail/outbox.ts'
import type { Queryable, Transaction } from '#src/db/database.ts'

/** Anybody can send dust to an address: a credit below this is in the statement, without a notification. */
export const NOTIFY_FROM: Amount = MICRO

/** The kinds of notices; the texts are `notice.<kind>.title` and `.text` of the catalogs. */
export type NoticeKind =
  Extract<MessageKey, `notice.${string}.title`> extends `notice.${infer Kind}.title` ? Kind : never

/**
 * The values in the text, such as `amount`, which has the form of the wire. A `limit` is a kind and a period,
 * such as `deposit.day`, which each language has a word for. `until` is an instant in ISO 8601, which is written in
 * the time zone `zone`.
 */
export type NoticeFacts = Record<string, string>

/** The values in the form of a language. */
export function spokenFacts(language: Language, facts: NoticeFacts): NoticeFacts {
  const { limit, until, zone } = facts
  const key = `limit.${limit}`
  return {
    ...facts,
    ...(hasMessage(key) && { limit: translate(language, key) }),
    ...(until && zone && { until: minuteText(new Date(until), { language, zone }) }),
  }
}

/** `Dec 1, 2026, 14:30 GMT+8`, as the language writes it. */
function minuteText(at: Date, { language, zone }: { language: Language; zone: string }): string {
  const format = new Intl.DateTimeFormat(language, {
    timeZone: zone,
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  })
  return format.format(at)
}

/**
 * Adds a message to the player's inbox and queues a mail in his language, both within the transaction of the event
 * itself. A player without an e-mail address only gets the message.
 */
export function notify(tx: Transaction, notice: Notice): Promise<void> {
  return notifyAll(tx, [notice])
}

type Notice = {
  playerId: number
  kind: NoticeKind
  facts?: NoticeFacts
  /** At the end of the mail alone; the text before it is `notice.<kind>.link`. It is stored nowhere else. */
  link?: string | undefined
}

/** The same for any number of notices, in two statements. */
export async function notifyAll(tx: Transaction, notices: readonly Notice[]): Promise<void> {
  if (notices.length === 0) return
  const players = await addMessages(
    tx,
    notices.map(({ playerId, kind, facts = {} }) => ({ playerId, kind, facts })),
  )
  const mails = notices.flatMap(({ kind, facts = {}, link }, at) => {
    const player = players[at]
    if (!player) throw new Error('a notice for a player who does not exist')
    if (!player.email) return []
    const language = languageOf(player.lang)
    const spoken = spokenFacts(language, facts)
    const ofLink = `notice.${kind}.link`
    const end = link && hasMessage(ofLink) ? `\n\n${translate(language, ofLink)}\n${link}` : ''
    return {
      to: player.email,
      subject: translate(language, `notice.${kind}.title`, spoken),
      text: translate(language, `notice.${kind}.text`, spoken) + end,
    }
  })
  await queueOutbox.sendAll(tx, mails)
  await queuePushes(tx, notices)
}

export const SEND_PUSH_JOB = 'send-push'

/** What of these a player may want to be told of while the app is closed; never anything that calls him to play. */
const PUSHED: Readonly<Record<string, (typeof PUSH_TOPICS)[number]>> = {
  deposit_credited: 'deposit',
  deposit_released: 'deposit',
  withdrawal_approved: 'withdrawal',
  withdrawal_rejected: 'withdrawal',
  withdrawal_reversed: 'withdrawal',
  withdrawal_paid: 'withdrawal',
  withdrawal_sent_back: 'withdrawal',
  new_device: 'sign_in',
  staff_message: 'support',
}

/** How long a message is tried, and how long a push service keeps it: a day later it is no news. */
export const PUSH_SECONDS = 86_400

/** Two queues, each worked on one after the other, so that slow push services delay no other work. */
const PUSH_QUEUE = 'push'

/** Of browsers whose push service did not answer within the last hour. */
const SILENT_QUEUE = 'push silent'

/** After its nth try the queue waits e^n s: the ninth is some two hours after the first. */
const PUSH_MANNER = 'priority := 10, max_attempts := 9'

/**
 * Queues a message to the browsers of the players who want to be told, after mail. Those of a player are one job, which
 * sends to all at once.
 */
async function queuePushes(tx: Transaction, notices: readonly Notice[]): Promise<void> {
  const pushed = notices.flatMap(({ playerId, kind, facts = {} }) => {
    const topic = PUSHED[kind]
    // The text of a message is in no payload: it is read in the app.
    return topic ? [{ playerId, kind, topic, facts: topic === 'support' ? {} : facts }] : []
  })
  if (pushed.length === 0) return
  await tx.query(
    `with given as materialized (
       select message ->> 'playerId' as player, message, position
       from json_array_elements($2::json) with ordinality each (message, position)
     ), job as (
       select case when silent then $5 else $4 end as queue, json_agg(json_build_object(
         'subscription', subscription.id, 'topic', message ->> 'topic', 'kind', message ->> 'kind',
         'facts', message -> 'facts',
         'until', extract(epoch from app.now()) * 1000 + $3::integer * 1000, 'silent', silent) order by subscription.id) as messages
       from given
         join inbox.push_choice on push_choice.player_id = player::integer and message ->> 'topic' = any (topics)
         join inbox.push_subscription subscription on subscription.player_id = player::integer
         cross join lateral (select coalesce(silent_until > app.now(), false) as silent) marked
       group by position, silent
     )
     select graphile_worker.add_job($1, messages, queue_name := queue, ${PUSH_MANNER}) from job`,
    [SEND_PUSH_JOB, JSON.stringify(pushed), PUSH_SECONDS, PUSH_QUEUE, SILENT_QUEUE],
  )
}

/** Moves a message to the queue of browsers whose push service is silent. */
export async function queueSilent(db: Queryable, message: object): Promise<void> {
  await db.query(
    `select graphile_worker.add_job($1, json_build_array($2::json), queue_name := $3, ${PUSH_MANNER})`,
    [SEND_PUSH_JOB, JSON.stringify(message), SILENT_QUEUE],
  )
}

export type Message = {
  id: bigint
  kind: string
  facts: Record<string, string>
  createdAt: number
  read: boolean
}

/** Adds messages in their order, and returns for each what a mail about it needs. */
function addMessages(
  tx: Transaction,
  messages: readonly { playerId: number; kind: string; facts: Record<string, string> }[],
): Promise<{ email: string | null; lang: string }[]> {
  return tx.query<{ email: string | null; lang: string }>(
    `with given as (
       select position, (message ->> 'playerId')::integer as player_id, message ->> 'kind' as kind,
         message -> 'facts' as facts
       from jsonb_array_elements($1::jsonb) with ordinality each (message, position)
     ), added as (
       insert into inbox.message (player_id, kind, facts)
       select player_id, kind, facts from given order by position
     )
     select email, lang from given join accounts.player on player.id = player_id order by position`,
    [JSON.stringify(messages)],
  )
}

/** What a higher layer tells all players. */
export type Announcement = {
  id: number
  title: string
  /** Unsafe HTML is removed. */
  html: string
  lang: string
  /** Unix milliseconds. */
  publishedAt: number
  read: boolean
}

/** The announcements, newest first; a minute after they were requested they are read. */
export type ReadAnnouncements = (reader: {
  playerId: number
  lang: Language
}) => Promise<Announcement[]>

/**
 * SQL: whether what was read at an instant counts as read. Not while the call that read it may be repeated because its
 * reply was lost: the repeat is answered as the call was.
 */
export const countsAsRead = (at: string) =>
  `coalesce(${at} < app.now() - interval '${TRIES_FOR_MS} milliseconds', false)`

/** A player's latest messages, or those before one, newest first. */
export function messagesOf(
  db: Queryable,
  playerId: number,
  { limit, beforeId = null }: { limit: number; beforeId?: number | null },
): Promise<Message[]> {
  return db.query<Message>(
    `select id, kind, facts, created_at as "createdAt", ${countsAsRead('read_at')} as read
     from inbox.message where player_id = $1 and id < coalesce($2, 9223372036854775807)
     order by id desc limit $3`,
    [playerId, beforeId, limit],
  )
}

const UNREAD_COUNTED = 99

/** How many messages a player has not read, at most 99. */
export async function unreadOf(db: Queryable, playerId: number): Promise<number> {
  const unread = await db.query(
    'select from inbox.message where player_id = $1 and read_at is null limit $2',
    [playerId, UNREAD_COUNTED],
  )
  return unread.length
}
