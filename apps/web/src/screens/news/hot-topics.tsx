import { Card, CardHeading } from '@sum28/ui/card.tsx'
import { dateText } from '@sum28/ui/date-text.ts'
import { Link } from '#src/app/navigation.tsx'
import { href } from '#src/app/routes.ts'
import { articleLink } from '#src/data/article-link.ts'
import type { HotTopic } from '#src/data/articles.ts'
import { useTimeFormat } from '#src/features/use-time-format.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/news/hot-topics.module.css'

/** The operator's hot topics, numbered. */
export function HotTopics({ topics }: { topics: readonly HotTopic[] }) {
  const t = useText()
  const when = useTimeFormat()
  return (
    <section className="grid-2 shrink">
      <CardHeading>{t('news.hot')}</CardHeading>
      <Card kind="rows">
        <ol>
          {topics.map((topic, at) => (
            <li key={topic.id}>
              <Link className={styles.row} to={href('article', { news: articleLink(topic.id) })}>
                <span className={styles.rank} data-first={at < 3} aria-hidden="true">
                  {at + 1}
                </span>
                <span className="lines shrink">
                  <span className={styles.title}>{topic.title}</span>
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
