import { useQuery } from '@tanstack/react-query'
import { promosQuery } from '#src/data/promos.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/action-center/action-center-screen.module.css'
import { PromoCard } from '#src/screens/action-center/promo-card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Loaded } from '#src/ui/loaded.tsx'
import { Page } from '#src/ui/page.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'
import { PullToRefresh } from '#src/ui/pull-to-refresh.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

/** The operator's promo pictures, three at first. */
export function ActionCenterScreen() {
  const t = useText()
  const promos = useQuery(promosQuery)
  return (
    <PullToRefresh onRefresh={() => promos.refetch({ throwOnError: true })}>
      <Page header={<PageHeader title={t('promos.title')} back />}>
        <Loaded
          query={promos}
          skeleton={[0, 1, 2].map((at) => <Skeleton key={at} height={168} />)}
          empty={(list) =>
            list.length === 0 ? (
              <EmptyState
                icon="star"
                title={t('promos.none')}
                hint={t('promos.noneHint')}
                onReload={() => promos.refetch()}
              />
            ) : null
          }
        >
          {(list) => (
            <ul className={styles.list}>
              {list.map((promo) => (
                <li key={promo.id}>
                  <PromoCard promo={promo} />
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      </Page>
    </PullToRefresh>
  )
}
