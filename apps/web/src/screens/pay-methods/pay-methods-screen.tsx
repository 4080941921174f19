import { buttonClass } from '@sum28/ui/button.tsx'
import { Callout } from '@sum28/ui/callout.tsx'
import { EmptyState } from '@sum28/ui/empty-state.tsx'
import type { IconName } from '@sum28/ui/icon.tsx'
import { Skeleton } from '@sum28/ui/skeleton.tsx'
import { useQuery } from '@tanstack/react-query'
import { Link } from '#src/app/navigation.tsx'
import { href } from '#src/app/routes.ts'
import { useRouteQuery } from '#src/app/use-route-query.ts'
import { kindOfNumber, type PayKind } from '#src/data/pay-method.ts'
import { payMethodQuery } from '#src/data/saved-pay-methods.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { Screen } from '#src/features/screen.tsx'
import { type TextKey, useText } from '#src/i18n/text.ts'
import { PayCard } from '#src/screens/pay-methods/pay-card.tsx'

type Words = {
  title: TextKey
  icon: IconName
  add: TextKey
  addRoute: 'addBankCard' | 'addWallet'
  change: TextKey
  none: TextKey
  noneHint: TextKey
}

const WORDS: Record<PayKind, Words> = {
  card: {
    title: 'settings.bankCard',
    icon: 'card',
    add: 'payMethods.addCard',
    addRoute: 'addBankCard',
    change: 'payMethods.changeCard',
    none: 'payMethods.noCard',
    noneHint: 'payMethods.noCardHint',
  },
  wallet: {
    title: 'settings.wallet',
    icon: 'wallet',
    add: 'payMethods.addWallet',
    addRoute: 'addWallet',
    change: 'payMethods.changeWallet',
    none: 'payMethods.noWallet',
    noneHint: 'payMethods.noWalletHint',
  },
}

/** The saved bank card, or with `type=1` the virtual wallet, and a button to replace it. */
export function PayMethodsScreen() {
  const t = useText()
  const kind = kindOfNumber(useRouteQuery('payMethods').type)
  const words = WORDS[kind]
  const method = useQuery(payMethodQuery(kind))
  return (
    <Screen title={t(words.title)} back>
      <Loaded query={method} skeleton={<Skeleton height={200} />}>
        {(saved) =>
          saved ? (
            <>
              <PayCard method={saved} />
              <Callout icon="lock">{t('payMethods.changeHolds')}</Callout>
              <Link className={buttonClass({ kind: 'soft', wide: true })} to={href(words.addRoute)}>
                {t(words.change)}
              </Link>
            </>
          ) : (
            <EmptyState icon={words.icon} title={t(words.none)} hint={t(words.noneHint)}>
              <Link className={buttonClass({})} to={href(words.addRoute)}>
                {t(words.add)}
              </Link>
            </EmptyState>
          )
        }
      </Loaded>
    </Screen>
  )
}
