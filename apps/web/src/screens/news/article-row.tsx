import { dateText } from '@sum28/ui/date-text.ts'
import { useMemo, useState } from 'react'
import { Link } from '#src/app/navigation.tsx'
import { href } from '#src/app/routes.ts'
import { articleLink } from '#src/data/article-link.ts'
import type { ArticleInList } from '#src/data/articles.ts'
import { paragraphsOf } from '#src/features/html-paragraphs.ts'
import { pictureAddress } from '#src/features/picture-address.ts'
import { useTimeFormat } from '#src/features/use-time-format.ts'
import styles from '#src/screens/news/article-row.module.css'

/** Characters of the preview; two lines show fewer. */
const BEGINNING = 160

/** An article in a list: title, beginning, and picture if it has one. */
export function ArticleRow({ article }: { article: ArticleInList }) {
  const when = useTimeFormat()
  const [broken, setBroken] = useState(false)
  const beginning = useMemo(
    () => paragraphsOf(article.content).join(' ').slice(0, BEGINNING),
    [article.content],
  )
  return (
    <Link className={styles.row} to={href('article', { news: articleLink(article.id) })}>
      <span className={styles.words}>
        <span className={styles.title}>{article.title}</span>
        {beginning && (
          <span className={styles.beginning} data-may-be-cut>
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
