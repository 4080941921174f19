/** Notifies a player of an event of his account: inside the app, and by mail. */
import { type Language, languageOf } from '@sum28/i18n/languages.ts'
import { hasMessage, type MessageKey, translate } from '@sum28/i18n/translate.ts'
import { queueOutbox } from '#src/adapters/mail/outbox.ts'
import type { Transaction } from '#src/db/database.ts'
import { addMessages } from './inbox-store.ts'

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

type Notice = { playerId: number; kind: NoticeKind; facts?: NoticeFacts }

/** The same for any number of notices, in two statements. */
export async function notifyAll(tx: Transaction, notices: readonly Notice[]): Promise<void> {
  if (notices.length === 0) return
  const players = await addMessages(
    tx,
    notices.map(({ playerId, kind, facts = {} }) => ({ playerId, kind, facts })),
  )
  const mails = notices.flatMap(({ kind, facts = {} }, at) => {
    const player = players[at]
    if (!player) throw new Error('a notice for a player who does not exist')
    if (!player.email) return []
    const language = languageOf(player.lang)
    const spoken = spokenFacts(language, facts)
    return {
      to: player.email,
      subject: translate(language, `notice.${kind}.title`, spoken),
      text: translate(language, `notice.${kind}.text`, spoken),
    }
  })
  await queueOutbox.sendAll(tx, mails)
}
