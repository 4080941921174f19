/** The promo pictures of the action centre, as an editor reads and changes them. */
import type { Language } from '@sum28/i18n/languages.ts'
import { callFunction, type Database, type Queryable } from '#src/db/database.ts'
import { isOwnPath } from '#src/modules/content/safe-html.ts'
import { asStaff } from '#src/modules/staff/as-staff.ts'
import { type AuditDetails, appendAudit } from '#src/modules/staff/audit.ts'
import { malformed, type Refusal } from '#src/refusal/refusal.ts'
import { refuseByWord } from '#src/refusal/refusal-words.ts'
import { changedBy } from './change-piece.ts'
import type { Saved } from './piece-store.ts'

type PromoTitle = { lang: Language; title: string }

export type PromoRow = {
  id: number
  version: number
  image: string
  shown: boolean
  titles: PromoTitle[]
  changedBy: string | null
  changedAt: number | null
}

/** More are probably a mistake: the action centre shows all of them below each other. */
const PROMOS_MAX = 100

/** All promo pictures, in their order. */
export function promoRows(db: Queryable): Promise<PromoRow[]> {
  return db.query<PromoRow>(
    `select promo.id, version, image, shown, member.name as "changedBy", changed_at as "changedAt",
       (select coalesce(jsonb_agg(jsonb_build_object('lang', lang, 'title', title) order by lang), '[]')
        from content.promo_title where promo_id = promo.id) as titles
     from content.promo left join staff.member on member.id = changed_by
     order by position, promo.id`,
  )
}

export type PromoDraft = {
  /** A path within the app. */
  image: string
  shown: boolean
  /** Each language at most once, English always. */
  titles: readonly PromoTitle[]
}

type PromoForm = { id: number; version: number; session: string }

/**
 * Adds a promo picture after the others.
 *
 * @returns null, or malformed
 */
export function addNewPromo(
  db: Database,
  { session, ...draft }: PromoDraft & { session: string },
): Promise<null | Refusal> {
  return set(db, { id: null, version: null, session }, draft)
}

/**
 * Changes a promo picture and its titles.
 *
 * @returns null, or malformed, not_found, content_changed
 */
export function changePromo(
  db: Database,
  { id, version, session, ...draft }: PromoDraft & PromoForm,
): Promise<null | Refusal> {
  return set(db, { id, version, session }, draft)
}

/**
 * Moves a promo picture before its predecessor; the first one stays the first.
 *
 * @returns null, or not_found, content_changed
 */
export function movePromoUp(
  db: Database,
  { id, version, session }: PromoForm,
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const placeNow = async () => (await promoRows(tx)).findIndex((each) => each.id === id) + 1
    const before = await placeNow()
    const word = await callFunction<Saved>(tx, `console_content.raise_one('promo', $1, $2, $3)`, [
      id,
      version,
      session,
    ])
    const refusal = await refusalOf(tx, word, id)
    if (refusal) return refusal
    await appendAudit(tx, {
      ...{ session, action: 'promo_raised', subject: `promo:${id}` },
      details: { before: { place: before }, after: { place: await placeNow() } },
    })
    return null
  })
}

function set(
  db: Database,
  { id, version, session }: { id: number | null; version: number | null; session: string },
  { image, shown, titles }: PromoDraft,
): Promise<null | Refusal> {
  if (!isOwnPath(image)) return Promise.resolve(malformed({ image: 'invalid' }))
  return asStaff(db, async (tx) => {
    // One at a time, so that no call takes another's new picture for its own.
    await tx.query(`select pg_advisory_xact_lock(hashtext('content.promo'))`)
    const rows = await promoRows(tx)
    if (id === null && rows.length >= PROMOS_MAX) return malformed({ image: 'too_many' })
    const word = await callFunction<Saved>(
      tx,
      'console_content.set_promo($1, $2, $3, $4, $5, $6, $7)',
      [
        ...[id, version, image, shown],
        titles.map(({ lang }) => lang),
        titles.map(({ title }) => title),
        session,
      ],
    )
    const refusal = await refusalOf(tx, word, id)
    if (refusal) return refusal
    const known = rows.find((each) => each.id === id)
    const after = (await promoRows(tx)).find((each) =>
      id === null ? !rows.some((row) => row.id === each.id) : each.id === id,
    )
    await appendAudit(tx, {
      ...{ session, action: id === null ? 'promo_added' : 'promo_changed' },
      subject: `promo:${after?.id}`,
      details: { before: known ? facts(known) : null, after: after ? facts(after) : null },
    })
    return null
  })
}

async function refusalOf(db: Queryable, word: string, id: number | null): Promise<Refusal | null> {
  if (word === 'saved') return null
  if (word === 'content_changed') {
    return changedBy((await promoRows(db)).find((each) => each.id === id)?.changedBy ?? null)
  }
  return refuseByWord('not_found', { field: 'id' })
}

function facts({ image, shown, titles }: PromoRow): AuditDetails {
  return { image, shown, titles }
}
