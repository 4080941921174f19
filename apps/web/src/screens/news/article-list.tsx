import { Card } from '@sum28/ui/card.tsx'
import { EmptyState } from '@sum28/ui/empty-state.tsx'
import { RecordList } from '@sum28/ui/record-row.tsx'
import type { ArticleInList } from '#src/data/articles.ts'
import { useText } from '#src/i18n/text.ts'
import { ArticleRow } from '#src/screens/news/article-row.tsx'

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
