/**
 * Pictures that the app shows in an order of the editors: banners on the home screen, promo pictures in the action
 * centre.
 */
import type { WireBanner, WirePromo } from '@sum28/contract/staff-content-routes.ts'
import { widePicture } from '#src/adapters/images/square-picture.ts'
import { callFunction, type Database, type Queryable } from '#src/db/database.ts'
import { PICTURE_PATH, pictureName } from '#src/modules/accounts/pictures.ts'
import { changeRow, type Form, type Saved } from '#src/modules/console/change-row.ts'
import { isOwnPath } from '#src/modules/content/safe-html.ts'
import { type AuditDetails, appendAudit, asStaff } from '#src/modules/staff/audit.ts'
import { malformed, type Refusal, refuse } from '#src/refusal/refusal.ts'
import type { RowOf } from '#src/wire-form.ts'

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

type Draft = Form & {
  /** A path within the app. */
  image: string
  shown: boolean
}

/**
 * Adds a banner after the others, or changes one.
 *
 * @param draft `link`: a path within the app, or empty
 * @returns null, or malformed, not_found, content_changed
 */
export async function setBanner(
  db: Database,
  { image, link = '', shown, ...form }: Draft & { link?: string | undefined },
): Promise<null | Refusal> {
  if (link !== '' && !isOwnPath(link)) return malformed({ link: 'invalid' })
  return set(db, 'banner', form, { image, values: [image, link, shown] })
}

/**
 * The same for a promo picture.
 *
 * @param draft `titles`: each language at most once, English always
 */
export async function setPromo(
  db: Database,
  { image, shown, titles, ...form }: Draft & { titles: PromoRow['titles'] },
): Promise<null | Refusal> {
  const [langs, texts] = [titles.map(({ lang }) => lang), titles.map(({ title }) => title)]
  return set(db, 'promo', form, { image, values: [image, shown, langs, texts] })
}

async function set(
  db: Database,
  kind: Picture,
  { id, version, session }: Form,
  { image, values }: { image: string; values: unknown[] },
): Promise<null | Refusal> {
  if (!isOwnPath(image)) return malformed({ image: 'invalid' })
  const isNew = id === undefined
  const all = [id ?? null, version ?? null, ...values, session]
  return changeRow(db, {
    kind,
    id,
    session,
    action: `${kind}_${isNew ? 'added' : 'changed'}`,
    rows: ROWS[kind],
    field: 'image',
    make: async (tx, rows) =>
      isNew && rows.length >= PICTURES_MAX
        ? 'too_many'
        : callFunction<Saved>(tx, `console_content.set_${kind}`, ...all),
    facts: factsOf,
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
  { id, version, session }: Required<Form>,
): Promise<null | Refusal> {
  return changeRow(db, {
    kind,
    id,
    session,
    action: `${kind}_raised`,
    rows: ROWS[kind],
    make: (tx) => callFunction(tx, 'console_content.raise_one', kind, id, version, session),
    facts: (row, rows) => ({ position: rows.indexOf(row) + 1 }),
  })
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
