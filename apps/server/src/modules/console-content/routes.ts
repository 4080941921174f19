import type { ParsedOf } from '@sum28/contract/route.ts'
import * as wire from '@sum28/contract/staff-content-routes.ts'
import { LANGUAGES } from '@sum28/i18n/languages.ts'
import { unixSecondsOrNull } from '#src/formats/unix-seconds.ts'
import { bind, type RouteBinding } from '#src/http/binding.ts'
import type { DownloadBinding } from '#src/http/serve-downloads.ts'
import { isRefusal, malformed, type Refusal, refuse } from '#src/refusal/refusal.ts'
import type { Resources } from '#src/resources.ts'
import { type AboutRow, aboutRows, saveAboutText } from './about-text.ts'
import { addNewBanner, bannerRows, changeBanner, moveBannerUp } from './change-banner.ts'
import {
  changeArticle,
  makeDraft,
  publish,
  removeText,
  saveText,
  withdraw,
} from './change-piece.ts'
import {
  addNewPromo,
  changePromo,
  movePromoUp,
  type PromoDraft,
  promoRows,
} from './change-promo.ts'
import {
  categoryRows,
  type ListedPiece,
  type PieceRow,
  pieceRow,
  pieceRows,
} from './piece-store.ts'
import { saveHousePicture } from './save-house-picture.ts'

/** Serves the calls of `staff-content-routes.ts`. */
export function consoleContentRoutes({ db, now }: Resources): RouteBinding[] {
  return [
    bind(wire.listPieces, async ({ input: { category_id: categoryId, ...ask } }) => {
      const page = await pieceRows(db, { ...ask, categoryId })
      return isRefusal(page) ? page : { list: page.list.map(listedReply), next: page.next }
    }),
    bind(wire.showPiece, async ({ input }) => {
      const piece = await pieceRow(db, input)
      return piece ? pieceReply(piece) : refuse('not_found', { field: 'id' })
    }),
    bind(wire.listCategories, () => categoryRows(db)),
    bind(wire.makePiece, async ({ input, caller: { token: session } }) => {
      const { kind, category_id: categoryId = null, title } = input
      return replied(await makeDraft(db, { kind, categoryId, title, session }))
    }),
    bind(wire.savePieceText, async ({ input, caller: { token: session } }) => {
      const { text_lang: lang, title, html, ...form } = input
      return replied(await saveText(db, { ...form, session }, { lang, title, html }))
    }),
    bind(wire.removePieceText, async ({ input, caller: { token: session } }) => {
      const { text_lang: lang, ...form } = input
      return replied(await removeText(db, { ...form, session }, lang))
    }),
    bind(wire.setArticle, async ({ input, caller: { token: session } }) => {
      const { category_id: categoryId, image = '', top, ...form } = input
      return replied(await changeArticle(db, { ...form, session }, { categoryId, image, top }))
    }),
    bind(wire.publishPiece, async ({ input, caller: { token: session } }) => {
      const { from, until, ...form } = input
      return replied(await publish(db, { ...form, session }, { from, until, now: now() }))
    }),
    bind(wire.withdrawPiece, async ({ input, caller: { token: session } }) =>
      replied(await withdraw(db, { ...input, session })),
    ),
    bind(wire.showAbout, async () => (await aboutRows(db)).map(aboutReply)),
    bind(wire.saveAbout, async ({ input, caller: { token: session } }) => {
      const { text_lang: lang, version, html } = input
      const saved = await saveAboutText(db, { lang, version, html, session })
      return isRefusal(saved) ? saved : saved.map(aboutReply)
    }),
    bind(wire.listBanners, async () =>
      (await bannerRows(db)).map(({ changedBy, changedAt, ...row }) => ({
        ...row,
        changed_by: changedBy,
        changed_at: unixSecondsOrNull(changedAt),
      })),
    ),
    bind(wire.addBanner, ({ input: { image, link = '', shown }, caller: { token: session } }) =>
      addNewBanner(db, { image, link, shown, session }),
    ),
    bind(wire.saveBanner, ({ input: { link = '', ...input }, caller: { token: session } }) =>
      changeBanner(db, { ...input, link, session }),
    ),
    bind(wire.raiseBanner, ({ input: { id, version }, caller: { token: session } }) =>
      moveBannerUp(db, { id, version, session }),
    ),
    bind(wire.listPromos, async () =>
      (await promoRows(db)).map(({ changedBy, changedAt, titles, ...row }) => ({
        ...row,
        titles,
        missing: LANGUAGES.filter((lang) => !titles.some((title) => title.lang === lang)),
        changed_by: changedBy,
        changed_at: unixSecondsOrNull(changedAt),
      })),
    ),
    bind(wire.addPromo, ({ input, caller: { token: session } }) =>
      addNewPromo(db, { ...promoDraft(input), session }),
    ),
    bind(wire.savePromo, ({ input, caller: { token: session } }) =>
      changePromo(db, { id: input.id, version: input.version, ...promoDraft(input), session }),
    ),
    bind(wire.raisePromo, ({ input: { id, version }, caller: { token: session } }) =>
      movePromoUp(db, { id, version, session }),
    ),
    bind(wire.uploadPicture, async ({ file, caller: { token: session } }) =>
      file ? saveHousePicture(db, { bytes: file.bytes, session }) : malformed({ file: 'required' }),
    ),
  ]
}

/** Serves the files of `staff-content-routes.ts`: it has none. */
export function consoleContentDownloads(_deps: Resources): DownloadBinding[] {
  return []
}

/** The fields of a promo picture's form, with a title for each given language. */
function promoDraft(input: ParsedOf<typeof wire.addPromo>): PromoDraft {
  const titles = LANGUAGES.flatMap((lang) => {
    const title = input[`title_${lang}`]
    return title ? [{ lang, title }] : []
  })
  return { image: input.image, shown: input.shown, titles }
}

type Facts = Omit<ListedPiece, 'title' | 'missing'>

function factsReply(row: Facts) {
  return {
    kind: row.kind,
    id: row.id,
    version: row.version,
    state: row.state,
    category_id: row.categoryId,
    top: row.top,
    published_at: unixSecondsOrNull(row.publishedAt),
    published_until: unixSecondsOrNull(row.publishedUntil),
    changed_by: row.changedBy,
    changed_at: unixSecondsOrNull(row.changedAt),
  }
}

function listedReply(row: ListedPiece) {
  return { ...factsReply(row), title: row.title, missing: row.missing }
}

function pieceReply(row: PieceRow): wire.WirePiece {
  const texts = LANGUAGES.flatMap((lang) => row.texts.filter((text) => text.lang === lang))
  return { ...factsReply(row), image: row.image, texts }
}

function replied(result: PieceRow | Refusal): wire.WirePiece | Refusal {
  return isRefusal(result) ? result : pieceReply(result)
}

function aboutReply({ changedBy, changedAt, ...row }: AboutRow): wire.WireAbout {
  return { ...row, changed_by: changedBy, changed_at: unixSecondsOrNull(changedAt) }
}
