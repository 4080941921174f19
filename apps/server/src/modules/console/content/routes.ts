import type { ParsedOf } from '@sum28/contract/route.ts'
import type { WireAbout } from '@sum28/contract/staff-content-routes.ts'
import * as wire from '@sum28/contract/staff-content-routes.ts'
import { LANGUAGES, type Language } from '@sum28/i18n/languages.ts'
import { callFunction, type Database, type Queryable } from '#src/db/database.ts'
import { wirePage } from '#src/db/list.ts'
import { bind, bindList, type RouteBinding } from '#src/http/call.ts'
import { rowsAfterChange } from '#src/modules/console/change-row.ts'
import { safeHtml } from '#src/modules/content/safe-html.ts'
import { isRefusal, malformed, type Refusal, refuse } from '#src/refusal/refusal.ts'
import type { Resources } from '#src/resources.ts'
import { type RowOf, wireOf } from '#src/wire-form.ts'
import {
  changeArticle,
  makeDraft,
  publish,
  removeText,
  saveText,
  withdraw,
} from './change-piece.ts'
import {
  bannerRows,
  promoRows,
  raisePicture,
  saveHousePicture,
  setBanner,
  setPromo,
} from './pictures.ts'
import { type PieceRow, pieceRow, pieceRows } from './piece-store.ts'

export function contentRoutes({ db, now }: Resources): RouteBinding[] {
  return [
    bindList(db, wire.listPieces, async (db, { category_id: categoryId, ...ask }) =>
      wirePage(await pieceRows(db, { ...ask, categoryId })),
    ),
    bind(wire.showPiece, async ({ input }) =>
      pieceReply((await pieceRow(db, input)) ?? refuse('not_found', { field: 'id' })),
    ),
    bind(wire.listCategories, () =>
      db.query<{ id: number; name: string }>(
        `select id, name from content.category join content.category_name on category_id = id and lang = 'en'
         order by position, id`,
      ),
    ),
    bind(wire.makePiece, async ({ input, caller: { token: session } }) => {
      const { kind, category_id: categoryId = null, title } = input
      return pieceReply(await makeDraft(db, { kind, categoryId, title, session }))
    }),
    bind(wire.savePieceText, async ({ input, caller: { token: session } }) => {
      const { text_lang: lang, title, html, ...form } = input
      return pieceReply(await saveText(db, { ...form, session }, { lang, title, html }))
    }),
    bind(wire.removePieceText, async ({ input, caller: { token: session } }) => {
      const { text_lang: lang, ...form } = input
      return pieceReply(await removeText(db, { ...form, session }, lang))
    }),
    bind(wire.setArticle, async ({ input, caller: { token: session } }) => {
      const { category_id: categoryId, image = '', top, ...piece } = input
      const form = { ...piece, kind: 'article', session } as const
      return pieceReply(await changeArticle(db, form, { categoryId, image, top }))
    }),
    bind(wire.publishPiece, async ({ input, caller: { token: session } }) => {
      const { from, until, ...form } = input
      return pieceReply(await publish(db, { ...form, session }, { from, until, now: now() }))
    }),
    bind(wire.withdrawPiece, async ({ input, caller: { token: session } }) =>
      pieceReply(await withdraw(db, { ...input, session })),
    ),
    bind(wire.showAbout, async () => (await aboutRows(db)).map(wireOf)),
    bind(wire.saveAbout, async ({ input, caller: { token: session } }) => {
      const { text_lang: lang, version, html } = input
      const saved = await saveAboutText(db, { lang, version, html, session })
      return isRefusal(saved) ? saved : saved.map(({ id: _id, ...row }) => wireOf(row))
    }),
    bind(wire.listBanners, async () => (await bannerRows(db)).map(wireOf)),
    bind(wire.addBanner, ({ input, caller: { token: session } }) =>
      setBanner(db, { ...input, session }),
    ),
    bind(wire.saveBanner, ({ input, caller: { token: session } }) =>
      setBanner(db, { ...input, session }),
    ),
    bind(wire.raiseBanner, ({ input, caller: { token: session } }) =>
      raisePicture(db, 'banner', { ...input, session }),
    ),
    bind(wire.listPromos, async () =>
      (await promoRows(db)).map((row) => ({
        ...wireOf(row),
        missing: LANGUAGES.filter((lang) => !row.titles.some((title) => title.lang === lang)),
      })),
    ),
    bind(wire.addPromo, ({ input, caller: { token: session } }) =>
      setPromo(db, { ...input, titles: titlesOf(input), session }),
    ),
    bind(wire.savePromo, ({ input, caller: { token: session } }) =>
      setPromo(db, { ...input, titles: titlesOf(input), session }),
    ),
    bind(wire.raisePromo, ({ input, caller: { token: session } }) =>
      raisePicture(db, 'promo', { ...input, session }),
    ),
    bind(wire.uploadPicture, async ({ file, caller: { token: session } }) =>
      file ? saveHousePicture(db, { bytes: file.bytes, session }) : malformed({ file: 'required' }),
    ),
  ]
}

/** The given titles of a promo picture's form, each with its language. */
function titlesOf(input: ParsedOf<typeof wire.addPromo>) {
  return LANGUAGES.flatMap((lang) => {
    const title = input[`title_${lang}`]
    return title ? [{ lang, title }] : []
  })
}

function pieceReply(row: PieceRow | Refusal): wire.WirePiece | Refusal {
  if (isRefusal(row)) return row
  const texts = LANGUAGES.flatMap((lang) => row.texts.filter((text) => text.lang === lang))
  return { ...wireOf(row), texts }
}

type AboutRow = RowOf<WireAbout>

/** The text of each language; empty for a language without one. */
function aboutRows(db: Queryable): Promise<AboutRow[]> {
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
 * @returns the present texts of all languages, or malformed (no html is left), content_changed
 */
async function saveAboutText(
  db: Database,
  {
    lang,
    version,
    html,
    session,
  }: { lang: Language; version: number; html: string; session: string },
): Promise<(AboutRow & { id: Language })[] | Refusal> {
  const safe = safeHtml(html)
  if (safe === '') return malformed({ html: 'required' })
  if (version > 2_147_483_647) return malformed({ version: 'number' })
  return rowsAfterChange(db, {
    kind: 'about',
    id: lang,
    session,
    action: 'about_saved',
    rows: async (tx) => (await aboutRows(tx)).map((row) => ({ ...row, id: row.lang })),
    make: (tx) => callFunction(tx, 'console_content.set_about', lang, version, safe, session),
    facts: (row) => row.html || null,
  })
}
