import { useQuery } from '@tanstack/react-query'
import { aboutQuery } from '#src/data/about.ts'
import { configQuery } from '#src/data/config.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/about/about-screen.module.css'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Loaded } from '#src/ui/loaded.tsx'
import { Page } from '#src/ui/page.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'
import { PullToRefresh } from '#src/ui/pull-to-refresh.tsx'
import { SafeHtml } from '#src/ui/safe-html.tsx'
import { SkeletonText } from '#src/ui/skeleton-text.tsx'

/** What the operator says about himself, and which build of the app this is. */
export function AboutScreen() {
  const t = useText()
  const about = useQuery(aboutQuery)
  const config = useQuery(configQuery)
  return (
    <PullToRefresh onRefresh={() => about.refetch({ throwOnError: true })}>
      <Page header={<PageHeader title={t('me.about')} back />}>
        <div className={styles.brand}>
          <img src="/icon.svg" alt="" width={64} height={64} />
          <div>
            <b className={styles.name}>Sum28</b>
            <p className={styles.slogan}>{t('app.slogan')}</p>
          </div>
        </div>
        <Loaded
          query={about}
          skeleton={<SkeletonText />}
          empty={(html) =>
            html.trim() === '' ? (
              <EmptyState title={t('about.none')} onReload={() => about.refetch()} />
            ) : null
          }
        >
          {(html) => (
            <Card>
              <SafeHtml html={html} />
            </Card>
          )}
        </Loaded>
        <p className={styles.build}>
          {t('about.build')} <span className="num">{config.data?.features.build ?? '–'}</span>
        </p>
      </Page>
    </PullToRefresh>
  )
}
