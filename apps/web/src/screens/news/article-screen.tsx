import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTimeFormat } from '#src/data/game-zone.ts'
import { EmptyState, Loaded } from '#src/features/loaded.tsx'
import { SafeHtml, SkeletonText } from '#src/features/safe-html.tsx'
import { Screen } from '#src/features/screen.tsx'
import { dateText } from '#src/i18n/days.ts'
import { useText } from '#src/i18n/text.ts'
import { useRouteQuery } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { LinkButton } from '#src/parts/button.tsx'
import { articleIdOf, articleQuery, isMissingArticle } from '#src/screens/news/articles.ts'
import styles from '#src/screens/news/news.module.css'

/** One article. The address names only its id; title and text come from the server. */
export function ArticleScreen() {
  const [{ news }] = useRouteQuery('article')
  const id = articleIdOf(news)
  return id === null ? <NoArticle /> : <Article id={id} />
}

function Article({ id }: { id: number }) {
  const t = useText()
  const when = useTimeFormat()
  const article = useQuery(articleQuery(id))
  const title = article.data?.title.trim() || t('article.page')
  useEffect(() => {
    document.title = `${title} · Sum28`
  }, [title])
  if (isMissingArticle(article.error)) return <NoArticle />

  return (
    // Not the title of the list, which would be heard as if nothing had opened.
    <Screen title={t('article.page')} back refreshes={article}>
      <Loaded query={article} skeleton={<SkeletonText />}>
        {({ content, lang, createtime }) => (
          <article className={styles.opened}>
            <h2 className="title balance anywhere" lang={lang}>
              {title}
            </h2>
            <p className={styles.openedDate}>{dateText(createtime * 1_000, when)}</p>
            <SafeHtml html={content} lang={lang} />
          </article>
        )}
      </Loaded>
    </Screen>
  )
}

function NoArticle() {
  const t = useText()
  return (
    <Screen title={t('article.page')} back>
      <EmptyState icon="news" title={t('article.gone')} hint={t('article.goneHint')}>
        <LinkButton kind="soft" to={href('news')} replace>
          {t('article.more')}
        </LinkButton>
      </EmptyState>
    </Screen>
  )
}
