import { LANGUAGES } from '@sum28/i18n/languages.ts'
import type { Database } from '#src/db/database.ts'
import { malformed, type Refusal } from '#src/refusal.ts'
import { putAbout } from './article-store.ts'
import { htmlFault, type Localized } from './localized.ts'
import { safeHtml } from './safe-html.ts'

/**
 * Saves what the operator says about himself, in the languages that are given; the others stay as
 * they are. HTML is made safe on the way in.
 *
 * @returns null, or malformed by language
 */
export async function saveAbout(
  { db }: { db: Database },
  texts: Localized<string>,
): Promise<Refusal | null> {
  const given = LANGUAGES.flatMap((lang) => {
    const html = texts[lang]
    return html === undefined ? [] : [{ lang, html, fault: htmlFault(html) }]
  })
  const faults = given.flatMap(({ lang, fault }) => (fault ? [[lang, fault]] : []))
  if (faults.length > 0) return malformed(Object.fromEntries(faults))
  return db.transaction(async (tx) => {
    for (const { lang, html } of given) await putAbout(tx, { lang, html: safeHtml(html) })
    return null
  })
}
