import { Refusal } from '@sum28/contract/client.ts'
import { CODES } from '@sum28/contract/envelope.ts'
import { article, articleList } from '@sum28/contract/index-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'

const FRESH_MS = 60_000

type Listed = ReplyOf<typeof articleList>

/** Of all categories. Its HTML is from the server, as each article's: to be made safe before it is shown. */
export type HotTopic = Listed['tops'][number]

export type ListedArticle = Listed['articleTabs'][number]['articles'][number]

/** The hot topics, and the categories with their articles; newest first. */
export const articlesQuery = queryOptions({
  queryKey: ['articles'],
  staleTime: FRESH_MS,
  queryFn: ({ signal }) => call(articleList, {}, { signal }),
})

export function articleQuery(id: number) {
  return queryOptions({
    queryKey: ['article', id],
    staleTime: FRESH_MS,
    queryFn: ({ signal }) => call(article, { id }, { signal }),
  })
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
 * The id of the article in an address, or null. The description's links contain a whole article; its title and
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
