/** Content: articles, announcements, banners, and the configuration that a client needs before login. */
import {
  aboutUs,
  articleList,
  article as articleRoute,
  config as configRoute,
  home,
  promos,
} from '@sum28/contract/index-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { formatAmount } from '@sum28/domain/money.ts'
import { LANGUAGES, type Language } from '@sum28/i18n/languages.ts'
import type { Queryable } from '#src/db/database.ts'
import { type FreshRead, readFresh, staleIfDown } from '#src/db/shared-reads.ts'
import { bind, PreparedJson, type RouteBinding } from '#src/http/call.ts'
import { type Winner, winnersOfLastDay } from '#src/modules/bets/bet-store.ts'
import type { Catalog } from '#src/modules/games/catalog.ts'
import {
  type Announcement,
  countsAsRead,
  type ReadAnnouncements,
} from '#src/modules/inbox/notify.ts'
import { refuse } from '#src/refusal/refusal.ts'
import type { Resources } from '#src/resources.ts'
import { maskedName, unixSeconds } from '#src/wire-form.ts'
import { clientConfig } from './client-config.ts'

export function contentModule(
  deps: Pick<Resources, 'db' | 'config' | 'build'> & {
    catalog: () => Promise<Catalog>
  },
) {
  const { db, config, build, catalog } = deps
  const features = staleIfDown(
    async () => ({
      robots: config.robots && (await catalog()).rooms.some(({ robots }) => robots > 0),
    }),
    { robots: false },
  )
  return {
    readAnnouncements: announcementReader(db),
    routes: contentRoutes(db, async (origin) =>
      clientConfig(config, { origin, build, ...(await features()) }),
    ),
  }
}

/** The version label that the home screen has shown since the first version; the build's own is in config. */
const VERSION_LABEL = '21.04.02'

/** @param configOf the client's configuration; the origin is the one that it called */
function contentRoutes(
  db: Queryable,
  configOf: (origin: string) => Promise<ReplyOf<typeof configRoute>>,
): RouteBinding[] {
  const latestWinners = winnersReader(db)
  const listOf = Object.fromEntries(
    LANGUAGES.map((lang) => [lang, readFresh(() => listedArticles(db, lang), LIST_FRESH)]),
  ) as Record<Language, FreshRead<ListedArticles>>
  return [
    bind(home, async ({ lang }) => {
      const [banner, winners, notice] = await Promise.all([
        db.query<{ id: number; image: string; link: string }>(
          `select id, image, link from content.banner where shown order by position, id`,
        ),
        latestWinners(),
        textOf(db, 'version_notice', lang),
      ])
      return {
        banner,
        winners: winners.map(({ username, gameName, profit, settledAt }) => ({
          nickname: maskedName(username),
          game_name: gameName,
          profit: formatAmount(profit),
          createtime: unixSeconds(settledAt),
        })),
        version_notice: { label: VERSION_LABEL, ...(notice ?? { content: '' }) },
      }
    }),
    bind(configRoute, ({ origin }) => configOf(origin)),

    bind(articleList, async ({ input: { category_id: categoryId }, lang }) => {
      const { tops, tabs } = await listOf[lang].value()
      const tabTexts = [...tabs].flatMap(([id, tab]) =>
        categoryId === undefined || categoryId === id ? [tab] : [],
      )
      return new PreparedJson(`{"tops":${tops},"articleTabs":[${tabTexts.join()}]}`)
    }),

    bind(articleRoute, async ({ input: { id }, lang }) => {
      const article = await db.first<Article>(`${ARTICLE} where ${PUBLISHED} and thing.id = $2`, [
        lang,
        id,
      ])
      return article ? wireArticle(article) : refuse('not_found')
    }),

    bind(aboutUs, async ({ lang }) => {
      const about = await db.first<{ content: string; lang: string }>(
        `select html as content, lang from content.about where lang in ($1, 'en') order by lang = $1 desc limit 1`,
        [lang],
      )
      return { about: about ?? { content: '' } }
    }),

    bind(promos, ({ lang }) =>
      db.query<{ id: number; image: string; title: string; lang: string }>(
        `select thing.id, image, title, lang
         from content.promo thing, ${inLanguage('promo_title', 'promo_id')}
         where shown order by position, thing.id`,
        [lang],
      ),
    ),
  ]
}

type Article = {
  id: number
  categoryId: number
  image: string
  top: boolean
  publishedAt: number
  title: string
  html: string
  lang: string
}

/** The text of each item in a language, if it exists in that, else in English. */
function inLanguage(table: string, owner: string): string {
  return `lateral (select * from content.${table} text
    where text.${owner} = thing.id and lang in ($1, 'en') order by lang = $1 desc limit 1) text`
}

const PUBLISHED = `thing.published_at <= app.now()
  and (thing.published_until is null or thing.published_until > app.now())`

const ARTICLE = `select thing.id, category_id as "categoryId", image, top,
    published_at as "publishedAt", title, html, lang
  from content.article thing, ${inLanguage('article_text', 'article_id')}`

/** The newest of each category that the list has. */
const LISTED_MAX = 100

/** The articles in a language as the JSON of the list's parts: the hot topics, and each category by its id. */
type ListedArticles = { tops: string; tabs: ReadonlyMap<number, string> }

/** How stale the list may be: it is large, strangers may ask for it, and all of them get the same. */
const LIST_FRESH = { freshMs: 500 }

async function listedArticles(db: Queryable, lang: Language): Promise<ListedArticles> {
  const [tabs, articles] = await Promise.all([
    db.query<{ id: number; name: string }>(
      `select thing.id, name from content.category thing, ${inLanguage('category_name', 'category_id')}
       order by position, thing.id`,
      [lang],
    ),
    db.query<Article>(
      `select * from (
         select *, row_number() over (partition by "categoryId" order by "publishedAt" desc, id desc) as position
         from (${ARTICLE} where ${PUBLISHED}) article) article
       where position <= ${LISTED_MAX} or top order by "publishedAt" desc, id desc`,
      [lang],
    ),
  ])
  const tops = articles
    .filter(({ top }) => top)
    .map(({ id, title, html, lang, publishedAt }) => ({
      id,
      title,
      content: html,
      lang,
      createtime: unixSeconds(publishedAt),
    }))
  const tab = ({ id, name }: { id: number; name: string }) => ({
    id,
    name,
    articles: articles.filter((each) => each.categoryId === id).map(wireArticle),
  })
  return {
    tops: JSON.stringify(tops),
    tabs: new Map(tabs.map((each) => [each.id, JSON.stringify(tab(each))])),
  }
}

function wireArticle({ id, title, html, lang, publishedAt, image }: Article) {
  return { id, title, content: html, lang, createtime: unixSeconds(publishedAt), image }
}

/** A text of the operator in a language, else in English, else null. */
function textOf(db: Queryable, key: string, lang: string) {
  return db.first<{ content: string; lang: string }>(
    `select content, lang from content.text where key = $1 and lang in ($2, 'en') order by lang = $2 desc limit 1`,
    [key, lang],
  )
}

const WINNERS_SHOWN = 20

/** How stale the list may be: it is computed from all wins of a day, and all clients show it. */
const FRESH_MS = 2_000

/** Makes the reader of the home screen's winners; calls within a short time share one read. */
export function winnersReader(db: Queryable): () => Promise<Winner[]> {
  return readFresh(() => winnersOfLastDay(db, WINNERS_SHOWN), { freshMs: FRESH_MS }).value
}

const SHOWN = 50

/** Makes the function that returns the announcements in a player's language and notes that he has listed them. */
function announcementReader(db: Queryable): ReadAnnouncements {
  return async (reader) => {
    const announcements = await db.query<Announcement>(
      `select thing.id, title, html, lang, published_at as "publishedAt",
         coalesce(announced_at, published_at) <= coalesce((
           select case when ${countsAsRead('listed_at')} then listed_at else listed_before end
           from content.announcement_reader where player_id = $3), '-infinity') as read
       from content.announcement thing, ${inLanguage('announcement_text', 'announcement_id')}
       where ${PUBLISHED} order by published_at desc, thing.id desc limit $2`,
      [reader.lang, SHOWN, reader.playerId],
    )
    if (announcements.some(({ read }) => !read)) {
      await db.query(
        `insert into content.announcement_reader as reader (player_id, listed_at) values ($1, app.now())
         on conflict (player_id) do update set listed_before = reader.listed_at, listed_at = app.now()
         where ${countsAsRead('reader.listed_at')}`,
        [reader.playerId],
      )
    }
    return announcements
  }
}
