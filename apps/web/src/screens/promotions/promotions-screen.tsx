import { promos } from '@sum28/contract/index-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#src/data/client.ts'
import { pictureAddress } from '#src/data/lines.ts'
import { protectionQuery } from '#src/data/protection.ts'
import { BreakNote } from '#src/features/break-note.tsx'
import { Loaded } from '#src/features/loaded.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useText } from '#src/i18n/text.ts'
import { Skeleton } from '#src/parts/skeleton.tsx'
import styles from '#src/screens/promotions/promotions.module.css'

const SKELETON = [0, 1, 2].map((at) => <Skeleton key={at} height={168} />)

/** The operator's promo pictures; none during a break, nor before it is known that there is none. */
export function PromotionsScreen() {
  const t = useText()
  const protection = useQuery(protectionQuery)
  const promos = useQuery(promosQuery)
  return (
    <Screen title={t('promotions.title')} back refreshes={promos}>
      <Loaded query={protection} skeleton={SKELETON}>
        {({ exclusion }) =>
          exclusion ? (
            <BreakNote />
          ) : (
            <Loaded
              query={promos}
              skeleton={SKELETON}
              empty={(list) =>
                list.length === 0 && {
                  icon: 'star',
                  title: t('promotions.none'),
                  hint: t('promotions.noneHint'),
                }
              }
            >
              {(list) => (
                <ul className="grid-3">
                  {list.map((promo) => (
                    <li key={promo.id}>
                      <PromoCard promo={promo} />
                    </li>
                  ))}
                </ul>
              )}
            </Loaded>
          )
        }
      </Loaded>
    </Screen>
  )
}

/** A promo picture with its title as text, so that it is translated and read out. */
function PromoCard({ promo }: { promo: Promo }) {
  const [broken, setBroken] = useState(false)
  return (
    <figure className={styles.card}>
      {!broken && (
        <img
          className={styles.picture}
          src={pictureAddress(promo.image)}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setBroken(true)}
        />
      )}
      {promo.title && (
        <figcaption className="row-space bold balance" lang={promo.lang}>
          {promo.title}
        </figcaption>
      )}
    </figure>
  )
}

const FRESH_MS = 60_000

type Promo = ReplyOf<typeof promos>[number]

const promosQuery = queryOptions({
  queryKey: ['promos'],
  staleTime: FRESH_MS,
  queryFn: ({ signal }) => call(promos, {}, { signal }),
})
