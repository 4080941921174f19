/** Messages to players: their own, and announcements. */
import { noticeList } from '@sum28/contract/index-routes.ts'
import { MESSAGES_A_REPLY } from '@sum28/contract/replies.ts'
import type { Language } from '@sum28/i18n/languages.ts'
import { hasMessage, translate } from '@sum28/i18n/translate.ts'
import { bind } from '#src/http/call.ts'
import type { Resources } from '#src/resources.ts'
import { unixSeconds } from '#src/wire-form.ts'
import { type Message, messagesOf, type ReadAnnouncements, spokenFacts } from './notify.ts'

export function inboxModule({
  db,
  readAnnouncements,
}: Pick<Resources, 'db'> & { readAnnouncements: ReadAnnouncements }) {
  return {
    routes: [
      bind(noticeList, async ({ caller, input, lang }) => {
        const { playerId } = caller
        const beforeId = input.before_id ?? null
        const [messages, toAll] = await Promise.all([
          messagesOf(db, playerId, { beforeId, limit: MESSAGES_A_REPLY }),
          beforeId === null ? readAnnouncements({ playerId, lang }) : [],
        ])
        if (messages.length > 0) {
          // Those that are not in the reply are not read yet: older ones, and any that came meanwhile.
          await db.query(
            `update inbox.message set read_at = app.now()
             where player_id = $1 and id = any ($2) and read_at is null`,
            [playerId, messages.map(({ id }) => id)],
          )
        }
        return {
          zhannei: messages.map((message) => notice(message, lang)),
          pingtai: toAll.map(({ id, title, html, lang, publishedAt, read }) => ({
            id,
            title,
            content: html,
            lang,
            createtime: unixSeconds(publishedAt),
            read,
          })),
        }
      }),
    ],
  }
}

/** A message in the reader's language. Its text is plain, so its HTML is the escaped text. */
function notice({ id, kind, facts, createdAt, read }: Message, lang: Language) {
  const text = (part: 'title' | 'text') => {
    const key = `notice.${kind}.${part}`
    return hasMessage(key) ? translate(lang, key, spokenFacts(lang, facts)) : kind
  }
  return {
    id: Number(id),
    title: text('title'),
    content: `<p>${escapeText(text('text'))}</p>`,
    createtime: unixSeconds(createdAt),
    read,
  }
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
