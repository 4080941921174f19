import type { ArticleInList } from '#src/data/articles.ts'
import { useText } from '#src/i18n/text.ts'
import { ArticleRow } from '#src/screens/more-news/article-row.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { RecordList } from '#src/ui/record-row.tsx'

type ArticleListProps = { articles: readonly ArticleInList[]; onReload: () => void }

/** A category's articles, newest first. */
export function ArticleList({ articles, onReload }: ArticleListProps) {
  const t = useText()
  if (articles.length === 0) {
    return <EmptyState icon="news" title={t('news.noneOfCategory')} onReload={onReload} />
  }
  return (
    <Card kind="rows">
      <RecordList>
        {articles.map((article) => (
          <li key={article.id}>
            <ArticleRow article={article} />
          </li>
        ))}
      </RecordList>
    </Card>
  )
}
