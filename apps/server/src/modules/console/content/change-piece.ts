/** An editor's actions on an article or an announcement: each is one transaction with its row of the log. */
import type { PieceKind } from '@sum28/contract/staff-content-routes.ts'
import type { Language } from '@sum28/i18n/languages.ts'
import { callFunction, type Database, type Transaction } from '#src/db/database.ts'
import { isOwnPath, safeHtml } from '#src/modules/content/safe-html.ts'
import { type AuditDetails, appendAudit, asStaff } from '#src/modules/staff/audit.ts'
import { isRefusal, malformed, type Refusal, refuse, refuseByWord } from '#src/refusal/refusal.ts'
import { type PieceForm, type PieceRow, pieceRow, type Saved } from './piece-store.ts'

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
    const made = await mustBe(tx, { kind, id })
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
export function saveText(
  db: Database,
  form: PieceForm,
  { lang, title, html }: { lang: Language; title: string; html: string },
): Promise<PieceRow | Refusal> {
  const safe = safeHtml(html)
  if (/\p{Cc}/u.test(title)) return Promise.resolve(malformed({ title: 'invalid' }))
  if (safe === '') return Promise.resolve(malformed({ html: 'required' }))
  return change(db, form, {
    action: 'text_saved',
    facts: (piece) => textFacts(piece, lang),
    call: 'set_text',
    values: () => [form.kind, form.id, form.version, lang, title, safe],
  })
}

/**
 * Deletes a language. English stays, because the other languages fall back to it.
 *
 * @returns the present piece, or malformed, not_found, content_changed
 */
export function removeText(
  db: Database,
  form: PieceForm,
  lang: Language,
): Promise<PieceRow | Refusal> {
  if (lang === 'en') return Promise.resolve(malformed({ text_lang: 'choice' }))
  return change(db, form, {
    action: 'text_removed',
    facts: (piece) => textFacts(piece, lang),
    call: 'set_text',
    values: () => [form.kind, form.id, form.version, lang, null, null],
  })
}

/**
 * Sets the properties of an article other than its texts.
 *
 * @returns the present article, or malformed (a picture that is no path within the app), not_found, content_changed
 */
export async function changeArticle(
  db: Database,
  form: Omit<PieceForm, 'kind'>,
  terms: { categoryId: number; image: string; top: boolean },
): Promise<PieceRow | Refusal> {
  if (terms.image !== '' && !isOwnPath(terms.image)) return malformed({ image: 'invalid' })
  const isKnown = await db.exists('select from content.category where id = $1', [terms.categoryId])
  if (!isKnown) return malformed({ category_id: 'choice' })
  return change(
    db,
    { ...form, kind: 'article' },
    {
      action: 'changed',
      facts: ({ categoryId, image, top }) => ({ category_id: categoryId, image, top }),
      call: 'set_article',
      values: () => [form.id, form.version, terms.categoryId, terms.image, terms.top],
    },
  )
}

/**
 * Publishes, at once or from a given time. English must have a text.
 *
 * @param times unix seconds; `from` absent: now, `until` absent: without an end
 * @returns the present piece, or malformed, not_found, content_changed
 */
export function publish(
  db: Database,
  form: PieceForm,
  times: { from?: number | undefined; until?: number | undefined; now: number },
): Promise<PieceRow | Refusal> {
  const from = times.from === undefined ? null : times.from * 1000
  const until = times.until === undefined ? null : times.until * 1000
  if (from !== null && from > TIME_MAX) return Promise.resolve(malformed({ from: 'invalid' }))
  if (until !== null && (until > TIME_MAX || until <= Math.max(from ?? 0, times.now))) {
    return Promise.resolve(malformed({ until: 'invalid' }))
  }
  return change(db, form, {
    action: 'published',
    facts: shownFacts,
    fault: ({ texts }) =>
      texts.some(({ lang, html }) => lang === 'en' && html !== '')
        ? null
        : malformed({ html: 'english_missing' }),
    call: 'set_shown',
    values: (_before, now) => [
      form.kind,
      form.id,
      form.version,
      instant(from ?? now),
      instant(until),
    ],
  })
}

/** The end of the year 9999, in milliseconds. */
const TIME_MAX = 253_402_300_799_000

/** Hides it from players. @returns the present piece, or not_found, content_changed */
export function withdraw(db: Database, form: PieceForm): Promise<PieceRow | Refusal> {
  return change(db, form, {
    action: 'withdrawn',
    facts: shownFacts,
    fault: ({ state }) =>
      state === 'draft' || state === 'withdrawn' ? refuse('already_decided') : null,
    call: 'set_shown',
    values: (before, now) => [
      form.kind,
      form.id,
      form.version,
      instant(before?.publishedAt ?? null),
      instant(now),
    ],
  })
}

type Change = {
  /** The part after the kind, as in `article_published`. */
  action: string
  /** What the log stores, before and after. */
  facts: (piece: PieceRow) => AuditDetails
  /** The reason to refuse, if any. */
  fault?: (piece: PieceRow) => Refusal | null
  /** The function that makes the change, and its values before the session. @param now unix milliseconds */
  call: 'set_text' | 'set_article' | 'set_shown'
  values: (before: PieceRow | undefined, now: number) => unknown[]
}

async function change(
  db: Database,
  form: PieceForm,
  { action, facts, fault, call, values }: Change,
): Promise<PieceRow | Refusal> {
  const { kind, id, version, session } = form
  const subject = `${kind}:${id}`
  return asStaff(db, async (tx) => {
    const before = await pieceRow(tx, form)
    const wrong = before?.version === version ? (fault?.(before) ?? null) : null
    if (isRefusal(wrong)) return wrong
    // The version is compared again under a lock, so `before` is what is changed.
    const { at } = await tx.one<{ at: number }>('select app.now() as at')
    const all = [...values(before, at), session]
    const word = await callFunction<Saved>(tx, `console_content.${call}`, ...all)
    if (word === 'content_changed') return changedBy((await mustBe(tx, form)).changedBy)
    if (word !== 'saved') return refuseByWord(word, { field: 'id' })
    const after = await mustBe(tx, form)
    await appendAudit(tx, {
      session,
      action: `${kind}_${action}`,
      subject,
      details: { before: before ? facts(before) : null, after: facts(after) },
    })
    return after
  })
}

/** The refusal of a stale form; it names the person who changed the piece first. */
export function changedBy(name: string | null): Refusal {
  return refuseByWord('content_changed', { by: name ?? '—' })
}

function textFacts({ texts }: PieceRow, lang: Language): AuditDetails {
  const text = texts.find((each) => each.lang === lang)
  return { lang, title: text?.title ?? null, html: text?.html ?? null }
}

function shownFacts({ state, publishedAt, publishedUntil }: PieceRow): AuditDetails {
  return { state, from: moment(publishedAt), until: moment(publishedUntil) }
}

function moment(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}

async function mustBe(
  tx: Transaction,
  { kind, id }: { kind: PieceKind; id: number },
): Promise<PieceRow> {
  const piece = await pieceRow(tx, { kind, id })
  if (!piece) throw new Error(`${kind} ${id} was changed and is not there`)
  return piece
}

function instant(at: number | null): Date | null {
  return at === null ? null : new Date(at)
}
