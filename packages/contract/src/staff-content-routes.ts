/** /api/staff/content: the console's area of content: articles, notices, banners, promo pictures, about. */
import * as z from 'zod/mini'
import { count, id, instant, optionalText, text, tick } from './fields.ts'
import { unix } from './replies.ts'
import { listPage, listRequest } from './staff-list.ts'
import { defineStaffRoute } from './staff-route.ts'

/** The languages of the app, which the operator's texts are in; English always, and first. */
export const TEXT_LANGUAGES = ['en', 'zh', 'zh-TW', 'ja', 'ko', 'vi', 'id'] as const

/** The app shows announcements among the notices to all players. */
export const PIECE_KINDS = ['article', 'announcement'] as const
export type PieceKind = (typeof PIECE_KINDS)[number]

/** `scheduled`: published with a future time; `withdrawn`: was published or scheduled before. */
export const PIECE_STATES = ['draft', 'scheduled', 'published', 'withdrawn'] as const

/** The most UTF-16 units of an article's HTML in one language. */
export const HTML_CHARS_MAX = 20_000

const kind = z.enum(PIECE_KINDS, { error: 'choice' })
const lang = z.enum(TEXT_LANGUAGES, { error: 'choice' })
const html = text({ max: HTML_CHARS_MAX })
const longText = { field: 'html', max: HTML_CHARS_MAX }

/** A piece, and the version on which the caller's form is based: refused if it is not the present one. */
const pieceForm = { kind, id, version: id }

const pieceFacts = {
  kind: z.enum(PIECE_KINDS),
  id: z.int(),
  version: z.int(),
  state: z.enum(PIECE_STATES),
  /** Of an article. */
  category_id: z.nullable(z.int()),
  /** Among the hot topics. */
  top: z.boolean(),
  published_at: z.nullable(unix),
  published_until: z.nullable(unix),
  /** Null: the installation created it. */
  changed_by: z.nullable(z.string()),
  changed_at: z.nullable(unix),
}

export const listPieces = defineStaffRoute({
  path: '/api/staff/content/pieces',
  summary: 'Articles or announcements, newest first, with their state and languages',
  action: 'content.read',
  request: listRequest(['id'], {
    kind,
    /** A part of a title in any language. */
    q: optionalText(100),
    state: z.optional(z.enum(PIECE_STATES, { error: 'choice' })),
    /** Of an article. */
    category_id: z.optional(id),
  }),
  reply: listPage(
    z.object({
      ...pieceFacts,
      /** In English. */
      title: z.string(),
      /** Languages without a text. */
      missing: z.array(z.string()),
    }),
  ),
})

export const pieceReply = z.object({
  ...pieceFacts,
  /** A path of the app's own, or empty. */
  image: z.string(),
  texts: z.array(z.object({ lang: z.enum(TEXT_LANGUAGES), title: z.string(), html: z.string() })),
})
export type WirePiece = z.infer<typeof pieceReply>

export const showPiece = defineStaffRoute({
  path: '/api/staff/content/pieces/show',
  summary: 'One article or announcement with its texts in every language',
  action: 'content.read',
  request: z.object({ kind, id }),
  reply: pieceReply,
})

export const listCategories = defineStaffRoute({
  path: '/api/staff/content/categories',
  summary: 'The categories of articles, by their English names',
  action: 'content.read',
  reply: z.array(z.object({ id: z.int(), name: z.string() })),
})

export const makePiece = defineStaffRoute({
  path: '/api/staff/content/pieces/make',
  summary: 'Makes a draft, with its English title',
  action: 'content.write',
  request: z.object({
    kind,
    /** Needed for an article. */
    category_id: z.optional(id),
    title: text({ max: 200 }),
  }),
  reply: pieceReply,
})

export const savePieceText = defineStaffRoute({
  path: '/api/staff/content/pieces/text',
  summary: 'Saves title and text in one language; the HTML is made safe',
  action: 'content.write',
  longText,
  request: z.object({ ...pieceForm, text_lang: lang, title: text({ max: 200 }), html }),
  reply: pieceReply,
})

export const removePieceText = defineStaffRoute({
  path: '/api/staff/content/pieces/removeText',
  summary: 'Takes a language away; English stays',
  action: 'content.write',
  request: z.object({ ...pieceForm, text_lang: lang }),
  reply: pieceReply,
})

export const setArticle = defineStaffRoute({
  path: '/api/staff/content/pieces/article',
  summary: 'Sets category and picture of an article, and whether it is a hot topic',
  action: 'content.write',
  request: z.object({ id, version: id, category_id: id, image: optionalText(300), top: tick }),
  reply: pieceReply,
})

export const publishPiece = defineStaffRoute({
  path: '/api/staff/content/pieces/publish',
  summary: 'Publishes an article or announcement, at once or from a time on',
  action: 'content.publish',
  request: z.object({
    ...pieceForm,
    /** Unix seconds; absent: now. */
    from: z.optional(instant),
    /** Unix seconds; absent: without an end. */
    until: z.optional(instant),
  }),
  reply: pieceReply,
})

export const withdrawPiece = defineStaffRoute({
  path: '/api/staff/content/pieces/withdraw',
  summary: 'Shows an article or announcement to players no longer',
  action: 'content.publish',
  request: z.object(pieceForm),
  reply: pieceReply,
})

const about = z.object({
  lang: z.enum(TEXT_LANGUAGES),
  /** 0: there is no text in this language, and the app shows the English one. */
  version: z.int(),
  html: z.string(),
  changed_by: z.nullable(z.string()),
  changed_at: z.nullable(unix),
})
export type WireAbout = z.infer<typeof about>

export const showAbout = defineStaffRoute({
  path: '/api/staff/content/about',
  summary: 'What the operator says about himself, in every language',
  action: 'content.read',
  reply: z.array(about),
})

export const saveAbout = defineStaffRoute({
  path: '/api/staff/content/about/save',
  summary: 'Saves what the operator says about himself in one language; shown at once',
  action: 'content.publish',
  longText,
  request: z.object({ text_lang: lang, version: count, html }),
  reply: z.array(about),
})

const banner = z.object({
  id: z.int(),
  version: z.int(),
  /** A path of the app's own. */
  image: z.string(),
  /** The target of its link: a path of the app, or empty. */
  link: z.string(),
  shown: z.boolean(),
  changed_by: z.nullable(z.string()),
  changed_at: z.nullable(unix),
})
export type WireBanner = z.infer<typeof banner>

export const listBanners = defineStaffRoute({
  path: '/api/staff/content/banners',
  summary: 'The banners of the home screen, in their order',
  action: 'content.read',
  reply: z.array(banner),
})

const bannerFields = {
  image: text({ max: 300 }),
  link: optionalText(300),
  shown: tick,
}

export const addBanner = defineStaffRoute({
  path: '/api/staff/content/banners/add',
  summary: 'Adds a banner behind the others',
  action: 'content.publish',
  request: z.object(bannerFields),
})

export const saveBanner = defineStaffRoute({
  path: '/api/staff/content/banners/save',
  summary: 'Changes a banner, shows or hides it',
  action: 'content.publish',
  request: z.object({ id, version: id, ...bannerFields }),
})

export const raiseBanner = defineStaffRoute({
  path: '/api/staff/content/banners/raise',
  summary: 'Puts a banner before the one that stands before it',
  action: 'content.publish',
  request: z.object({ id, version: id }),
})

const promo = z.object({
  id: z.int(),
  version: z.int(),
  /** A path of the app's own. */
  image: z.string(),
  shown: z.boolean(),
  titles: z.array(z.object({ lang: z.enum(TEXT_LANGUAGES), title: z.string() })),
  /** The languages without a title, in which the English one is shown. */
  missing: z.array(z.enum(TEXT_LANGUAGES)),
  changed_by: z.nullable(z.string()),
  changed_at: z.nullable(unix),
})
export type WirePromo = z.infer<typeof promo>

export const listPromos = defineStaffRoute({
  path: '/api/staff/content/promos',
  summary: 'The promo pictures of the action centre, in their order',
  action: 'content.read',
  reply: z.array(promo),
})

const PROMO_TITLE_MAX = 200

const promoFields = {
  image: text({ max: 300 }),
  shown: tick,
  /** The title in each language; always in English. */
  title_en: text({ max: PROMO_TITLE_MAX }),
  title_zh: optionalText(PROMO_TITLE_MAX),
  'title_zh-TW': optionalText(PROMO_TITLE_MAX),
  title_ja: optionalText(PROMO_TITLE_MAX),
  title_ko: optionalText(PROMO_TITLE_MAX),
  title_vi: optionalText(PROMO_TITLE_MAX),
  title_id: optionalText(PROMO_TITLE_MAX),
}

export const addPromo = defineStaffRoute({
  path: '/api/staff/content/promos/add',
  summary: 'Adds a promo picture behind the others',
  action: 'content.publish',
  request: z.object(promoFields),
})

export const savePromo = defineStaffRoute({
  path: '/api/staff/content/promos/save',
  summary: 'Changes a promo picture and its titles, shows or hides it',
  action: 'content.publish',
  request: z.object({ id, version: id, ...promoFields }),
})

export const raisePromo = defineStaffRoute({
  path: '/api/staff/content/promos/raise',
  summary: 'Puts a promo picture before the one that stands before it',
  action: 'content.publish',
  request: z.object({ id, version: id }),
})

export const uploadPicture = defineStaffRoute({
  path: '/api/staff/content/pictures/upload',
  summary: 'Takes a picture (JPEG, PNG, WebP or GIF) and makes one of 1,440 by 456 pixels of it',
  action: 'content.write',
  rate: 'upload',
  file: 'file',
  reply: z.object({
    /** The path that a banner, a promo picture or an article names. */
    image: z.string(),
  }),
})
