import { Refusal } from '@sum28/contract/client.ts'
import { CODES } from '@sum28/contract/envelope.ts'
import { article, articleList } from '@sum28/contract/index-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'

const FRESH_MS = 60_000

type ArticleOnWire = Pick<ReplyOf<typeof article>, 'title' | 'content' | 'createtime'>

export type Article = {
  readonly title: string
  /** HTML from the server: to be made safe before it is shown. */
  readonly html: string
  /** Milliseconds since 1970. */
  readonly publishedAt: number
}

/** A hot topic, or an article of a category. */
export type ListedArticle = Article & {
  readonly id: number
  /** A path within the app; empty without a picture, as of all hot topics. */
  readonly image: string
}

/** The hot topics, and the categories with their articles; newest first. */
export const articlesQuery = queryOptions({
  queryKey: ['articles'],
  staleTime: FRESH_MS,
  queryFn: async ({ signal }) => {
    const { tops, articleTabs } = await call(articleList, {}, { signal })
    return {
      hotTopics: tops.map(listedArticle),
      categories: articleTabs.map(({ id, name, articles }) => ({
        id,
        name,
        articles: articles.map(listedArticle),
      })),
    }
  },
})

export function articleQuery(id: number) {
  return queryOptions({
    queryKey: ['article', id],
    staleTime: FRESH_MS,
    queryFn: async ({ signal }) => articleFromWire(await call(article, { id }, { signal })),
  })
}

function articleFromWire({ title, content, createtime }: ArticleOnWire): Article {
  return { title, html: content, publishedAt: createtime * 1_000 }
}

function listedArticle(listed: ArticleOnWire & { id: number; image?: string }): ListedArticle {
  return { ...articleFromWire(listed), id: listed.id, image: listed.image ?? '' }
}

/** Whether the server has no such article, or no longer has it. */
export function isMissingArticle(error: unknown): boolean {
  return error instanceof Refusal && error.code === CODES.notFound
}

const ID_MAX = 2_147_483_647

/** The `news` parameter of an article's address: JSON, of which only the id is read. */
export function articleLink(id: number): string {
  return JSON.stringify({ id })
}

/**
 * The id of the article in an address, or null. Older links contain a whole article; its title and
 * text are ignored, because users can change an address.
 */
export function articleIdOf(news: string | undefined): number | null {
  if (!news) return null
  try {
    const value: unknown = JSON.parse(news)
    return idOf(typeof value === 'object' && value !== null && 'id' in value ? value.id : value)
  } catch {
    return null
  }
}

function idOf(value: unknown): number | null {
  const id = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value
  return typeof id === 'number' && Number.isInteger(id) && id >= 1 && id <= ID_MAX ? id : null
}
