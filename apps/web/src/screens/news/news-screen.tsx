import { EmptyState } from '@sum28/ui/empty-state.tsx'
import { Tabs } from '@sum28/ui/tabs.tsx'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from '#src/app/navigation.tsx'
import { articlesQuery } from '#src/data/articles.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { RecordCard } from '#src/features/record-card.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'
import { ArticleRow } from '#src/screens/news/article-row.tsx'
import { HotTopics } from '#src/screens/news/hot-topics.tsx'
import { NewsSkeleton } from '#src/screens/news/news-skeleton.tsx'

/** More tabs do not fit on the smallest phone. */
const SEGMENTS_MAX = 2

/** The hot topics, and all articles by category. */
export function NewsScreen() {
  const t = useText()
  const articles = useQuery(articlesQuery)
  // In the address, so that the same tab is open after going back.
  const [search, setSearch] = useSearchParams()

  return (
    <Screen title={t('tab.news')} onRefresh={() => articles.refetch({ throwOnError: true })}>
      <Loaded
        query={articles}
        skeleton={<NewsSkeleton />}
        empty={({ tops, articleTabs }) =>
          tops.length === 0 &&
          articleTabs.every((tab) => tab.articles.length === 0) && (
            <EmptyState
              icon="news"
              title={t('news.none')}
              hint={t('news.noneHint')}
              onReload={() => articles.refetch()}
            />
          )
        }
      >
        {({ tops, articleTabs: categories }) => {
          const values = categories.map(({ id }) => String(id))
          const open = values.find((id) => id === search.get('tab')) ?? values[0]
          return (
            <>
              {tops.length > 0 && <HotTopics topics={tops} />}
              {open !== undefined && (
                <Tabs
                  label={t('news.categories')}
                  kind={categories.length > SEGMENTS_MAX ? 'strip' : 'segments'}
                  value={open}
                  onChange={(tab) => setSearch({ tab }, { replace: true })}
                  tabs={categories.map((category) => ({
                    value: String(category.id),
                    label: category.name,
                    content: (
                      <RecordCard
                        items={category.articles}
                        empty={
                          <EmptyState
                            icon="news"
                            title={t('news.noneOfCategory')}
                            onReload={() => articles.refetch()}
                          />
                        }
                      >
                        {(article) => <ArticleRow article={article} />}
                      </RecordCard>
                    ),
                  }))}
                />
              )}
            </>
          )
        }}
      </Loaded>
    </Screen>
  )
}
