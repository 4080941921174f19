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
import type { Queryable } from '#src/db/database.ts'
import { bind, type RouteBinding } from '#src/http/binding.ts'
import type { Winner } from '#src/modules/bets/bet-store.ts'
import { refuse } from '#src/refusal/refusal.ts'
import { maskedName, unixSeconds } from '#src/wire-form.ts'
import {
  type Article,
  aboutIn,
  categories,
  publishedArticle,
  publishedArticles,
  shownPromos,
} from './article-store.ts'

/** The version label that the home screen has shown since the first version; the build's own is in config. */
const VERSION_LABEL = '21.04.02'

export function contentRoutes(deps: {
  db: Queryable
  latestWinners: () => Promise<Winner[]>
  /** The client's configuration; the origin is the one that it called. */
  clientConfig: (origin: string) => Promise<ReplyOf<typeof configRoute>>
}): RouteBinding[] {
  const { db, latestWinners, clientConfig } = deps
  return [
    bind(home, async ({ lang }) => {
      const [banner, winners, content] = await Promise.all([
        shownBanners(db),
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
        version_notice: { label: VERSION_LABEL, content: content ?? '' },
      }
    }),
    bind(configRoute, ({ origin }) => clientConfig(origin)),

    bind(articleList, async ({ input, lang }) => {
      const categoryId = input.category_id ?? null
      const [tabs, articles] = await Promise.all([
        categories(db, { lang, categoryId }),
        publishedArticles(db, lang),
      ])
      return {
        tops: articles
          .filter(({ top }) => top)
          .map(({ id, title, html, publishedAt }) => ({
            ...{ id, title, content: html, createtime: unixSeconds(publishedAt) },
          })),
        articleTabs: tabs.map(({ id, name }) => ({
          id,
          name,
          articles: articles.filter((each) => each.categoryId === id).map(wireArticle),
        })),
      }
    }),

    bind(articleRoute, async ({ input: { id }, lang }) => {
      const article = await publishedArticle(db, { id, lang })
      return article ? wireArticle(article) : refuse('not_found')
    }),

    bind(aboutUs, async ({ lang }) => ({ about: { content: (await aboutIn(db, lang)) ?? '' } })),

    bind(promos, ({ lang }) => shownPromos(db, lang)),
  ]
}

function wireArticle({ id, title, html, publishedAt, image }: Article) {
  return { id, title, content: html, createtime: unixSeconds(publishedAt), image }
}

function shownBanners(db: Queryable): Promise<{ id: number; image: string; link: string }[]> {
  return db.query(`select id, image, link from content.banner where shown order by position, id`)
}

/** A text of the operator in a language, else in English, else null. */
async function textOf(db: Queryable, key: string, lang: string): Promise<string | null> {
  const [row] = await db.query<{ content: string }>(
    `select content from content.text where key = $1 and lang in ($2, 'en') order by lang = $2 desc limit 1`,
    [key, lang],
  )
  return row?.content ?? null
}
