/** The operator's text about himself, as an editor reads and changes it. */
import type { WireAbout } from '@sum28/contract/staff-content-routes.ts'
import { LANGUAGES, type Language } from '@sum28/i18n/languages.ts'
import { callFunction, type Database, type Queryable } from '#src/db/database.ts'
import { safeHtml } from '#src/modules/content/safe-html.ts'
import { appendAudit, asStaff } from '#src/modules/staff/audit.ts'
import { malformed, type Refusal } from '#src/refusal/refusal.ts'
import type { RowOf } from '#src/wire-form.ts'
import { changedBy } from './change-piece.ts'
import type { Saved } from './piece-store.ts'

type AboutRow = RowOf<WireAbout>

/** The text of each language; empty for a language without one. */
export function aboutRows(db: Queryable): Promise<AboutRow[]> {
  return db.query<AboutRow>(
    `select known.lang, coalesce(version, 0) as version, coalesce(html, '') as html,
       member.name as "changedBy", changed_at as "changedAt"
     from unnest($1::text[]) with ordinality as known (lang, position)
     left join content.about on about.lang = known.lang
     left join staff.member on member.id = changed_by order by position`,
    [LANGUAGES],
  )
}

/**
 * Saves the text of one language; unsafe HTML is removed.
 *
 * @returns the present texts, or malformed (no html is left), content_changed
 */
export async function saveAboutText(
  db: Database,
  text: { lang: Language; version: number; html: string; session: string },
): Promise<AboutRow[] | Refusal> {
  const { lang, version, session } = text
  const safe = safeHtml(text.html)
  if (safe === '') return malformed({ html: 'required' })
  if (version > 2_147_483_647) return malformed({ version: 'number' })
  return asStaff(db, async (tx) => {
    const textOf = async () => (await aboutRows(tx)).find((each) => each.lang === lang)
    const before = await textOf()
    const word = await callFunction<Saved>(
      tx,
      'console_content.set_about',
      lang,
      version,
      safe,
      session,
    )
    if (word !== 'saved') return changedBy((await textOf())?.changedBy ?? null)
    const after = await aboutRows(tx)
    await appendAudit(tx, {
      session,
      action: 'about_saved',
      subject: `about:${lang}`,
      details: { before: before?.html || null, after: safe },
    })
    return after
  })
}
