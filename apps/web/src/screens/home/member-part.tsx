import { AmountText } from '@sum28/ui/amount.tsx'
import { lazyComponent } from '@sum28/ui/lazy-component.tsx'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Link } from '#src/app/navigation.tsx'
import { href } from '#src/app/routes.ts'
import { isOffered } from '#src/data/limits-offer.ts'
import { liveProfileQuery } from '#src/data/profile.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/home/member-part.module.css'

const LimitsOffer = lazyComponent(async () => {
  return (await import('#src/features/limits-offer.tsx')).LimitsOffer
})

type MemberPartProps = {
  /** The balance in wire form, shown until the present one has come. */
  lastKnown: string
}

/** What the home screen shows to a player: his balance, and after registering the offer of limits. */
export function MemberPart({ lastKnown }: MemberPartProps) {
  const t = useText()
  const { data: profile } = useQuery(liveProfileQuery)
  return (
    <>
      <Link className={styles.balance} to={href('me')}>
        <span>{t('home.balance')}</span>
        <AmountText value={profile?.money ?? lastKnown} />
      </Link>
      {isOffered('registration') && (
        <Suspense>
          <LimitsOffer at="registration" />
        </Suspense>
      )}
    </>
  )
}
