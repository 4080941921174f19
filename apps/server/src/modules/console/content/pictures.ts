/**
 * Pictures that the app shows in an order of the editors: banners on the home screen, promo pictures in the action
 * centre.
 */
import type { WireBanner, WirePromo } from '@sum28/contract/staff-content-routes.ts'
import { widePicture } from '#src/adapters/images/square-picture.ts'
import { callFunction, type Database, only, type Queryable } from '#src/db/database.ts'
import { PICTURE_PATH, pictureName } from '#src/modules/accounts/pictures.ts'
import { isOwnPath } from '#src/modules/content/safe-html.ts'
import { type AuditDetails, appendAudit, asStaff } from '#src/modules/staff/audit.ts'
import { malformed, type Refusal, refuse, refuseByWord } from '#src/refusal/refusal.ts'
import type { RowOf } from '#src/wire-form.ts'
import { changedBy } from './change-piece.ts'
import type { Saved } from './piece-store.ts'

export type Picture = 'banner' | 'promo'

type BannerRow = RowOf<WireBanner>
type PromoRow = RowOf<Omit<WirePromo, 'missing'>>
type Row = BannerRow | PromoRow

/** More are probably a mistake: the app shows one after the other. */
const PICTURES_MAX = 100

export function bannerRows(db: Queryable): Promise<BannerRow[]> {
  return rowsOf(db, 'banner', 'link')
}

export function promoRows(db: Queryable): Promise<PromoRow[]> {
  return rowsOf(
    db,
    'promo',
    `(select coalesce(jsonb_agg(jsonb_build_object('lang', lang, 'title', title) order by lang), '[]')
      from content.promo_title where promo_id = picture.id) as titles`,
  )
}

function rowsOf<PictureRow extends Row>(
  db: Queryable,
  kind: Picture,
  column: string,
): Promise<PictureRow[]> {
  return db.query<PictureRow>(
    `select picture.id, version, image, shown, ${column}, member.name as "changedBy", changed_at as "changedAt"
     from content.${kind} picture left join staff.member on member.id = changed_by
     order by position, picture.id`,
  )
}

const ROWS: Record<Picture, (db: Queryable) => Promise<Row[]>> = {
  banner: bannerRows,
  promo: promoRows,
}

type Draft = {
  /** A path within the app. */
  image: string
  shown: boolean
}

/** @param draft `link`: a path within the app, or empty */
export function setBanner(
  db: Database,
  form: NewForm | Form,
  draft: Draft & { link: string },
): Promise<null | Refusal> {
  const { image, link, shown } = draft
  if (link !== '' && !isOwnPath(link)) return Promise.resolve(malformed({ link: 'invalid' }))
  return set(db, 'banner', form, { image, values: [image, link, shown] })
}

/** @param draft `titles`: each language at most once, English always */
export function setPromo(
  db: Database,
  form: NewForm | Form,
  draft: Draft & { titles: PromoRow['titles'] },
): Promise<null | Refusal> {
  const { image, shown, titles } = draft
  const [langs, texts] = [titles.map(({ lang }) => lang), titles.map(({ title }) => title)]
  return set(db, 'promo', form, { image, values: [image, shown, langs, texts] })
}

/** A picture, and the version that the form was made from. */
type Form = { id: number; version: number; session: string }
type NewForm = { id?: undefined; session: string }

/**
 * Adds a picture after the others, or changes one.
 *
 * @returns null, or malformed, not_found, content_changed
 */
function set(
  db: Database,
  kind: Picture,
  form: NewForm | Form,
  { image, values }: { image: string; values: unknown[] },
): Promise<null | Refusal> {
  if (!isOwnPath(image)) return Promise.resolve(malformed({ image: 'invalid' }))
  return asStaff(db, async (tx) => {
    // One at a time, so that no call takes another's new picture for its own.
    await tx.query(`select pg_advisory_xact_lock(hashtext('content.' || $1::text))`, [kind])
    const rows = await ROWS[kind](tx)
    const isNew = form.id === undefined
    if (isNew && rows.length >= PICTURES_MAX) return malformed({ image: 'too_many' })
    const all = [...(isNew ? [null, null] : [form.id, form.version]), ...values, form.session]
    const word = await callFunction<Saved>(tx, `console_content.set_${kind}`, ...all)
    if (word !== 'saved') return refusalOf(rows, word, form.id)
    const after = await ROWS[kind](tx)
    const changed = only(
      after.filter(({ id }) => (isNew ? rows.every((row) => row.id !== id) : id === form.id)),
    )
    const before = rows.find(({ id }) => id === changed.id)
    await appendAudit(tx, {
      session: form.session,
      action: `${kind}_${isNew ? 'added' : 'changed'}`,
      subject: `${kind}:${changed.id}`,
      details: { before: before ? factsOf(before) : null, after: factsOf(changed) },
    })
    return null
  })
}

/**
 * Moves a picture before its predecessor; the first one stays the first.
 *
 * @returns null, or not_found, content_changed
 */
export function raisePicture(
  db: Database,
  kind: Picture,
  { id, version, session }: Form,
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const positionIn = (rows: Row[]) => ({ position: rows.findIndex((each) => each.id === id) + 1 })
    const rows = await ROWS[kind](tx)
    const word = await callFunction<Saved>(
      tx,
      'console_content.raise_one',
      ...[kind, id, version, session],
    )
    if (word !== 'saved') return refusalOf(await ROWS[kind](tx), word, id)
    await appendAudit(tx, {
      session,
      action: `${kind}_raised`,
      subject: `${kind}:${id}`,
      details: { before: positionIn(rows), after: positionIn(await ROWS[kind](tx)) },
    })
    return null
  })
}

function refusalOf(
  rows: readonly Row[],
  word: Exclude<Saved, 'saved'>,
  id: number | undefined,
): Refusal {
  if (word === 'content_changed') {
    return changedBy(rows.find((each) => each.id === id)?.changedBy ?? null)
  }
  return refuseByWord(word, { field: 'id' })
}

function factsOf(row: Row): AuditDetails {
  const { id: _id, version: _version, changedBy: _by, changedAt: _at, ...facts } = row
  return facts
}

/** Takes the place of the player in a picture's name. */
const HOUSE = 0

/**
 * Stores a picture for banners and articles, as a wide one of ours.
 *
 * @returns its path, or upload_not_an_image
 */
export async function saveHousePicture(
  db: Database,
  { bytes, session }: { bytes: Buffer; session: string },
): Promise<{ image: string } | Refusal> {
  const picture = await widePicture(bytes)
  if (!picture) return refuse('upload_not_an_image')
  const name = pictureName(picture, HOUSE)
  return asStaff(db, async (tx) => {
    await callFunction<string>(tx, 'console_content.keep_picture', name, picture, session)
    await appendAudit(tx, {
      session,
      action: 'picture_uploaded',
      subject: `picture:${name}`,
      details: { before: null, after: name },
    })
    return { image: PICTURE_PATH + name }
  })
}
