/** Tells a player what happened to his account: inside the app, and by mail. */
import { languageOf } from '@sum28/i18n/languages.ts'
import { type MessageKey, translate } from '@sum28/i18n/translate.ts'
import { queueOutbox } from '#src/adapters/mail/outbox.ts'
import type { Transaction } from '#src/db/database.ts'
import { addMessage } from './inbox-store.ts'

/** What there is to tell; the texts are `notice.<kind>.title` and `.text` of the catalogs. */
export type NoticeKind =
  Extract<MessageKey, `notice.${string}.title`> extends `notice.${infer Kind}.title` ? Kind : never

/** What the text names, such as `amount`, in the form in which it is to be read. */
export type NoticeFacts = Record<string, string>

/**
 * Leaves a message in the player's inbox and queues a mail in his language, both within the
 * transaction of what they tell of. A player without an e-mail address gets the message alone.
 */
export async function notify(
  tx: Transaction,
  { playerId, kind, facts = {} }: { playerId: number; kind: NoticeKind; facts?: NoticeFacts },
): Promise<void> {
  const { email, lang } = await addMessage(tx, { playerId, kind, facts })
  if (!email) return
  const language = languageOf(lang)
  await queueOutbox.send(tx, {
    to: email,
    subject: translate(language, `notice.${kind}.title`, facts),
    text: translate(language, `notice.${kind}.text`, facts),
  })
}
