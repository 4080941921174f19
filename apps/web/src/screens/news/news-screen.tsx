import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTimeFormat } from '#src/data/game-zone.ts'
import { pictureAddress } from '#src/data/lines.ts'
import { htmlText } from '#src/features/html-text.ts'
import { EmptyState, Loaded } from '#src/features/loaded.tsx'
import { Screen } from '#src/features/screen.tsx'
import { dateText } from '#src/i18n/days.ts'
import { useText } from '#src/i18n/text.ts'
import { Link, useRouteQuery } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { Card, CardHeading } from '#src/parts/card.tsx'
import { RecordCard } from '#src/parts/record-row.tsx'
import { Skeleton, SkeletonRows } from '#src/parts/skeleton.tsx'
import { Tabs } from '#src/parts/tabs.tsx'
import {
  articleLink,
  articlesQuery,
  type HotTopic,
  type ListedArticle,
} from '#src/screens/news/articles.ts'
import styles from '#src/screens/news/news.module.css'

/** More tabs do not fit on the smallest phone. */
const SEGMENTS_MAX = 2

export function NewsScreen() {
  const t = useText()
  const articles = useQuery(articlesQuery)
  // In the address, so that the same tab is open after going back.
  const [query, setQuery] = useRouteQuery('news', { stays: true })

  return (
    <Screen title={t('tab.news')} refreshes={articles}>
      <Loaded
        query={articles}
        skeleton={<NewsSkeleton />}
        empty={({ tops, articleTabs: categories }) =>
          tops.length === 0 &&
          categories.every((category) => category.articles.length === 0) && {
            icon: 'news',
            title: t('news.none'),
            hint: t('news.noneHint'),
          }
        }
      >
        {({ tops, articleTabs: categories }) => {
          const values = categories.map(({ id }) => String(id))
          const open = values.find((id) => id === query.tab) ?? values[0]
          return (
            <>
              {tops.length > 0 && <HotTopics topics={tops} />}
              {open !== undefined && (
                <Tabs
                  label={t('news.categories')}
                  kind={categories.length > SEGMENTS_MAX ? 'strip' : 'segments'}
                  value={open}
                  onChange={(tab) => setQuery({ tab })}
                  tabs={categories.map((category) => ({
                    value: String(category.id),
                    label: category.name,
                    content:
                      category.articles.length === 0 ? (
                        <EmptyState
                          icon="news"
                          title={t('news.noneOfCategory')}
                          onReload={() => articles.refetch()}
                        />
                      ) : (
                        <RecordCard items={category.articles} keyOf={({ id }) => id}>
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

function HotTopics({ topics }: { topics: readonly HotTopic[] }) {
  const t = useText()
  const when = useTimeFormat()
  return (
    <section className="grid-2 shrink">
      <CardHeading>{t('news.hot')}</CardHeading>
      <Card kind="rows">
        <ol>
          {topics.map((topic, at) => (
            <li key={topic.id}>
              <Link
                className="tap-row marked row-space"
                to={href('article', { news: articleLink(topic.id) })}
              >
                <span className={styles.topicRank} data-first={at < 3} aria-hidden="true">
                  {at + 1}
                </span>
                <span className="lines shrink">
                  <span className="medium balance anywhere" lang={topic.lang}>
                    {topic.title}
                  </span>
                  <span className="caption">{dateText(topic.createtime * 1_000, when)}</span>
                </span>
              </Link>
            </li>
          ))}
        </ol>
      </Card>
    </section>
  )
}

/** Characters of the preview; two lines show fewer. */
const BEGINNING = 160

function ArticleRow({ article }: { article: ListedArticle }) {
  const when = useTimeFormat()
  const [broken, setBroken] = useState(false)
  const beginning = useMemo(() => htmlText(article.content).slice(0, BEGINNING), [article.content])
  return (
    <Link
      className="tap-row marked row-space"
      to={href('article', { news: articleLink(article.id) })}
    >
      <span className="lines grow">
        <span className="strong balance anywhere" lang={article.lang}>
          {article.title}
        </span>
        {beginning && (
          <span className={styles.beginning} lang={article.lang} data-may-be-cut>
            {beginning}
          </span>
        )}
        <span className="caption">{dateText(article.createtime * 1_000, when)}</span>
      </span>
      {article.image && !broken && (
        <img
          className={styles.picture}
          src={pictureAddress(article.image)}
          alt=""
          loading="lazy"
          decoding="async"
          width={84}
          height={84}
          onError={() => setBroken(true)}
        />
      )}
    </Link>
  )
}

function NewsSkeleton() {
  return (
    <>
      <SkeletonRows count={3} />
      <Skeleton height={44} width="70%" />
      <Card aria-hidden="true">
        {[0, 1, 2].map((at) => (
          <div key={at} className="row-3">
            <div className="stack-2 grow">
              <Skeleton height={16} width="80%" />
              <Skeleton height={14} />
              <Skeleton height={12} width="34%" />
            </div>
            <Skeleton height={84} width="84px" />
          </div>
        ))}
      </Card>
    </>
  )
}
