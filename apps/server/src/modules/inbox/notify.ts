/** Notifies a player of an event of his account: inside the app, and by mail. */
import { type Language, languageOf } from '@sum28/i18n/languages.ts'
import { hasMessage, type MessageKey, translate } from '@sum28/i18n/translate.ts'
import { queueOutbox } from '#src/adapters/mail/outbox.ts'
import type { Queryable, Transaction } from '#src/db/database.ts'

/** The kinds of notices; the texts are `notice.<kind>.title` and `.text` of the catalogs. */
export type NoticeKind =
  Extract<MessageKey, `notice.${string}.title`> extends `notice.${infer Kind}.title` ? Kind : never

/**
 * The values in the text, such as `amount`, in the form in which they are shown. A `limit` is a kind and a period,
 * such as `deposit.day`, which each language has a word for.
 */
export type NoticeFacts = Record<string, string>

/** The values in the form of a language. */
export function spokenFacts(language: Language, facts: NoticeFacts): NoticeFacts {
  const key = `limit.${facts.limit}`
  return hasMessage(key) ? { ...facts, limit: translate(language, key) } : facts
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
  link?: string
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

/** A player's latest messages, newest first, with their state before this reading. */
export function messagesOf(db: Queryable, playerId: number, limit: number): Promise<Message[]> {
  return db.query<Message>(
    `select id, kind, facts, created_at as "createdAt", read_at is not null as read
     from inbox.message where player_id = $1 order by id desc limit $2`,
    [playerId, limit],
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

/** Marks the shown messages as read. */
export async function markRead(
  db: Queryable,
  { playerId, upTo }: { playerId: number; upTo: bigint },
): Promise<void> {
  await db.query(
    `update inbox.message set read_at = app.now()
     where player_id = $1 and id <= $2 and read_at is null`,
    [playerId, upTo],
  )
}
