import { aboutUs } from '@sum28/contract/index-routes.ts'
import { Card } from '@sum28/ui/card.tsx'
import { EmptyState } from '@sum28/ui/empty-state.tsx'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { configQuery } from '#src/data/config.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { SafeHtml, SkeletonText } from '#src/features/safe-html.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/about/about.module.css'

/** The operator's page about himself, and the build of the app. */
export function AboutScreen() {
  const t = useText()
  const about = useQuery(aboutQuery)
  const config = useQuery(configQuery)
  return (
    <Screen title={t('me.about')} back onRefresh={() => about.refetch({ throwOnError: true })}>
      <div className={styles.brand}>
        <img src="/icon.svg" alt="" width={64} height={64} />
        <div>
          <b className={styles.name}>Sum28</b>
          <p className="quiet">{t('app.slogan')}</p>
        </div>
      </div>
      <Loaded
        query={about}
        skeleton={<SkeletonText />}
        empty={(html) =>
          html.trim() === '' && (
            <EmptyState title={t('about.none')} onReload={() => about.refetch()} />
          )
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
    </Screen>
  )
}

const FRESH_MS = 60_000

const aboutQuery = queryOptions({
  queryKey: ['about'],
  staleTime: FRESH_MS,
  queryFn: async ({ signal }) => (await call(aboutUs, {}, { signal })).about.content,
})
