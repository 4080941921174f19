import { Refusal } from '@sum28/contract/client.ts'
import { CODES } from '@sum28/contract/envelope.ts'
import { article, articleList } from '@sum28/contract/index-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'

const FRESH_MS = 60_000

export type HotTopic = ReplyOf<typeof articleList>['tops'][number]
export type ArticleCategory = ReplyOf<typeof articleList>['articleTabs'][number]
export type ArticleInList = ArticleCategory['articles'][number]

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
