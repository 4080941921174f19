/** An editor's actions on an article or an announcement: each is one transaction with its row of the log. */
import type { PieceKind } from '@sum28/contract/staff-content-routes.ts'
import type { Language } from '@sum28/i18n/languages.ts'
import {
  callFunction,
  type Database,
  only,
  type Queryable,
  type Transaction,
} from '#src/db/database.ts'
import { type RowChange, rowsAfterChange, type Saved } from '#src/modules/console/change-row.ts'
import { isOwnPath, safeHtml } from '#src/modules/content/safe-html.ts'
import { appendAudit, asStaff } from '#src/modules/staff/audit.ts'
import { isRefusal, malformed, type Refusal, refuse } from '#src/refusal/refusal.ts'
import { type PieceForm, type PieceRow, pieceRow } from './piece-store.ts'

/**
 * Makes a draft with its English title.
 *
 * @returns it, or malformed if an article has no category
 */
export async function makeDraft(
  db: Database,
  draft: { kind: PieceKind; categoryId: number | null; title: string; session: string },
): Promise<PieceRow | Refusal> {
  const { kind, categoryId, title, session } = draft
  if (kind === 'article' && categoryId === null) return malformed({ category_id: 'required' })
  return asStaff(db, async (tx) => {
    const make = 'console_content.make_piece'
    const id = await callFunction<number | null>(tx, make, kind, categoryId, title, session)
    if (id === null) return malformed({ category_id: 'choice' })
    const made = only(await piecesOf(tx, { kind, id }))
    const details = { before: null, after: { title, category_id: categoryId } }
    await appendAudit(tx, { session, action: `${kind}_made`, subject: `${kind}:${id}`, details })
    return made
  })
}

/**
 * Saves title and text in one language. Unsafe HTML is removed.
 *
 * @returns the present piece, or malformed (no html is left, a title with control characters), not_found,
 * content_changed
 */
export async function saveText(
  db: Database,
  form: PieceForm,
  { lang, title, html }: { lang: Language; title: string; html: string },
): Promise<PieceRow | Refusal> {
  const safe = safeHtml(html)
  if (/\p{Cc}/u.test(title)) return malformed({ title: 'invalid' })
  if (safe === '') return malformed({ html: 'required' })
  return setText(db, form, { action: 'text_saved', lang, title, html: safe })
}

/**
 * Deletes a language. English stays, because the other languages fall back to it.
 *
 * @returns the present piece, or malformed, not_found, content_changed
 */
export async function removeText(
  db: Database,
  form: PieceForm,
  lang: Language,
): Promise<PieceRow | Refusal> {
  if (lang === 'en') return malformed({ text_lang: 'choice' })
  return setText(db, form, { action: 'text_removed', lang, title: null, html: null })
}

function setText(
  db: Database,
  form: PieceForm,
  text: { action: string; lang: Language; title: string | null; html: string | null },
): Promise<PieceRow | Refusal> {
  const { kind, id, version, session } = form
  const { lang, title, html } = text
  const values = [kind, id, version, lang, title, html, session]
  return change(db, form, {
    action: text.action,
    facts({ texts }) {
      const present = texts.find((each) => each.lang === lang)
      return { lang, title: present?.title ?? null, html: present?.html ?? null }
    },
    make: (tx) => callFunction(tx, 'console_content.set_text', ...values),
  })
}

/**
 * Sets the properties of an article other than its texts.
 *
 * @returns the present piece, or malformed (a picture that is no path within the app), not_found, content_changed
 */
export async function changeArticle(
  db: Database,
  form: PieceForm,
  { categoryId, image, top }: { categoryId: number; image: string; top: boolean },
): Promise<PieceRow | Refusal> {
  if (image !== '' && !isOwnPath(image)) return malformed({ image: 'invalid' })
  const isKnown = await db.exists('select from content.category where id = $1', [categoryId])
  if (!isKnown) return malformed({ category_id: 'choice' })
  const values = [form.id, form.version, categoryId, image, top, form.session]
  return change(db, form, {
    action: 'changed',
    facts: (piece) => ({ category_id: piece.categoryId, image: piece.image, top: piece.top }),
    make: (tx) => callFunction(tx, 'console_content.set_article', ...values),
  })
}

/**
 * Publishes, at once or from a given time. English must have a text.
 *
 * @param times unix seconds; `from` absent: now, `until` absent: without an end
 * @returns the present piece, or malformed, not_found, content_changed
 */
export async function publish(
  db: Database,
  form: PieceForm,
  times: { from?: number | undefined; until?: number | undefined; now: number },
): Promise<PieceRow | Refusal> {
  const from = times.from === undefined ? null : times.from * 1000
  const until = times.until === undefined ? null : times.until * 1000
  if (from !== null && from > TIME_MAX) return malformed({ from: 'invalid' })
  if (until !== null && (until > TIME_MAX || until <= Math.max(from ?? 0, times.now))) {
    return malformed({ until: 'invalid' })
  }
  return change(db, form, {
    action: 'published',
    facts: shownFacts,
    async make(tx, [before]) {
      const hasEnglish = before?.texts.some(({ lang, html }) => lang === 'en' && html !== '')
      if (before?.version === form.version && !hasEnglish)
        return malformed({ html: 'english_missing' })
      return setShown(tx, form, { from: from ?? (await nowIn(tx)), until })
    },
  })
}

/** The end of the year 9999, in milliseconds. */
const TIME_MAX = 253_402_300_799_000

/** Hides it from players. @returns the present piece, or already_decided, not_found, content_changed */
export function withdraw(db: Database, form: PieceForm): Promise<PieceRow | Refusal> {
  return change(db, form, {
    action: 'withdrawn',
    facts: shownFacts,
    async make(tx, [before]) {
      const isHidden = before?.state === 'draft' || before?.state === 'withdrawn'
      if (before?.version === form.version && isHidden) return refuse('already_decided')
      return setShown(tx, form, { from: before?.publishedAt ?? null, until: await nowIn(tx) })
    },
  })
}

async function change(
  db: Database,
  form: PieceForm,
  { action, facts, make }: Pick<RowChange<PieceRow>, 'action' | 'facts' | 'make'>,
): Promise<PieceRow | Refusal> {
  const { kind, id, session } = form
  const after = await rowsAfterChange(db, {
    kind,
    id,
    session,
    action: `${kind}_${action}`,
    rows: (tx) => piecesOf(tx, form),
    make,
    facts,
  })
  return isRefusal(after) ? after : only(after)
}

/** The piece alone, or nothing if there is none with this id. */
async function piecesOf(
  tx: Queryable,
  { kind, id }: Pick<PieceForm, 'kind' | 'id'>,
): Promise<PieceRow[]> {
  const piece = await pieceRow(tx, { kind, id })
  return piece ? [piece] : []
}

function setShown(
  tx: Transaction,
  { kind, id, version, session }: PieceForm,
  times: { from: number | null; until: number | null },
): Promise<Saved> {
  const [from, until] = [times.from, times.until].map((at) => (at === null ? null : new Date(at)))
  const values = [kind, id, version, from, until, session]
  return callFunction(tx, 'console_content.set_shown', ...values)
}

function nowIn(tx: Transaction): Promise<number> {
  return callFunction(tx, 'app.now')
}

function shownFacts({ state, publishedAt, publishedUntil }: PieceRow) {
  return { state, from: moment(publishedAt), until: moment(publishedUntil) }
}

function moment(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
