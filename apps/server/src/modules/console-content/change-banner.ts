/** The banners of the home screen, as an editor reads and changes them. */
import { callFunction, type Database, only, type Queryable } from '#src/db/database.ts'
import { isOwnPath } from '#src/modules/content/safe-html.ts'
import { asStaff } from '#src/modules/staff/as-staff.ts'
import { type AuditDetails, appendAudit } from '#src/modules/staff/audit.ts'
import { malformed, type Refusal } from '#src/refusal/refusal.ts'
import { refuseByWord } from '#src/refusal/refusal-words.ts'
import { changedBy } from './change-piece.ts'
import type { Saved } from './piece-store.ts'

export type BannerRow = {
  id: number
  version: number
  image: string
  link: string
  shown: boolean
  changedBy: string | null
  changedAt: number | null
}

/** More are probably a mistake: the home screen shows one after the other. */
const BANNERS_MAX = 100

/** All banners, in their order. */
export function bannerRows(db: Queryable): Promise<BannerRow[]> {
  return db.query<BannerRow>(
    `select banner.id, version, image, link, shown, member.name as "changedBy",
       changed_at as "changedAt"
     from content.banner left join staff.member on member.id = changed_by
     order by position, banner.id`,
  )
}

export type BannerDraft = {
  /** A path within the app. */
  image: string
  /** A path within the app, or empty. */
  link: string
  shown: boolean
}

/**
 * Adds a banner after the others.
 *
 * @returns null, or malformed
 */
export function addNewBanner(
  db: Database,
  { session, ...draft }: BannerDraft & { session: string },
): Promise<null | Refusal> {
  const wrong = faultOf(draft)
  if (wrong) return Promise.resolve(wrong)
  return asStaff(db, async (tx) => {
    if ((await bannerRows(tx)).length >= BANNERS_MAX) return malformed({ image: 'too_many' })
    await callFunction<Saved>(tx, 'console_content.set_banner(null, null, $1, $2, $3, $4)', [
      ...[draft.image, draft.link, draft.shown],
      session,
    ])
    const { id } = only(await tx.query<{ id: number }>('select max(id) as id from content.banner'))
    await appendAudit(tx, {
      ...{ session, action: 'banner_added', subject: `banner:${id}` },
      details: { before: null, after: draft },
    })
    return null
  })
}

type BannerForm = { id: number; version: number; session: string }

/**
 * Changes a banner.
 *
 * @returns null, or malformed, not_found, content_changed
 */
export function changeBanner(
  db: Database,
  { id, version, session, ...draft }: BannerDraft & BannerForm,
): Promise<null | Refusal> {
  const wrong = faultOf(draft)
  if (wrong) return Promise.resolve(wrong)
  return change(
    db,
    { id, version, session },
    {
      action: 'banner_changed',
      call: 'set_banner($1, $2, $3, $4, $5, $6)',
      values: [id, version, draft.image, draft.link, draft.shown, session],
      facts: ({ image, link, shown }) => ({ image, link, shown }),
    },
  )
}

/**
 * Moves a banner before its predecessor; the first one stays the first.
 *
 * @returns null, or not_found, content_changed
 */
export function moveBannerUp(db: Database, form: BannerForm): Promise<null | Refusal> {
  return change(db, form, {
    action: 'banner_raised',
    call: `raise_one('banner', $1, $2, $3)`,
    values: [form.id, form.version, form.session],
    facts: (_banner, place) => ({ place: place + 1 }),
  })
}

async function change(
  db: Database,
  { id, session }: BannerForm,
  {
    action,
    call,
    values,
    facts,
  }: {
    action: string
    call: string
    values: unknown[]
    facts: (banner: BannerRow, place: number) => AuditDetails
  },
): Promise<null | Refusal> {
  return asStaff(db, async (tx) => {
    const factsNow = async () => {
      const rows = await bannerRows(tx)
      const place = rows.findIndex((each) => each.id === id)
      const banner = rows[place]
      return banner ? facts(banner, place) : null
    }
    const before = await factsNow()
    const word = await callFunction<Saved>(tx, `console_content.${call}`, values)
    if (word === 'content_changed') {
      const banner = (await bannerRows(tx)).find((each) => each.id === id)
      return changedBy(banner?.changedBy ?? null)
    }
    if (word !== 'saved') return refuseByWord(word, { field: 'id' })
    await appendAudit(tx, {
      ...{ session, action, subject: `banner:${id}` },
      details: { before, after: await factsNow() },
    })
    return null
  })
}

function faultOf({ image, link }: BannerDraft): Refusal | null {
  if (!isOwnPath(image)) return malformed({ image: 'invalid' })
  return link === '' || isOwnPath(link) ? null : malformed({ link: 'invalid' })
}
