import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { href } from '#src/app/routes.ts'
import { useRouteQuery } from '#src/app/use-route-query.ts'
import { kindOfNumber, type PayKind } from '#src/data/pay-method.ts'
import { payMethodQuery } from '#src/data/pay-methods.ts'
import { type TextKey, useText } from '#src/i18n/text.ts'
import { PayCard } from '#src/screens/bank-card-manage/pay-card.tsx'
import { buttonClass } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import type { IconName } from '#src/ui/icon.tsx'
import { Loaded } from '#src/ui/loaded.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { Page } from '#src/ui/page.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

type Words = {
  title: TextKey
  icon: IconName
  add: TextKey
  addRoute: 'addBankCard' | 'addVirtualWallet'
  change: TextKey
  none: TextKey
  noneHint: TextKey
}

const WORDS: Record<PayKind, Words> = {
  card: {
    title: 'setting.bankCard',
    icon: 'card',
    add: 'payMethod.addCard',
    addRoute: 'addBankCard',
    change: 'payMethod.changeCard',
    none: 'payMethod.noCard',
    noneHint: 'payMethod.noCardHint',
  },
  wallet: {
    title: 'setting.wallet',
    icon: 'wallet',
    add: 'payMethod.addWallet',
    addRoute: 'addVirtualWallet',
    change: 'payMethod.changeWallet',
    none: 'payMethod.noWallet',
    noneHint: 'payMethod.noWalletHint',
  },
}

/** The saved bank card, or with `type=1` the virtual wallet, and the way to another one. */
export function BankCardManageScreen() {
  const t = useText()
  const kind = kindOfNumber(useRouteQuery('bankCardManage').type)
  const words = WORDS[kind]
  const method = useQuery(payMethodQuery(kind))
  return (
    <Page header={<PageHeader title={t(words.title)} back />}>
      <Loaded query={method} skeleton={<Skeleton height={200} />}>
        {(saved) =>
          saved ? (
            <>
              <PayCard method={saved} />
              <Notice icon="lock">{t('payMethod.changeHolds')}</Notice>
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
    </Page>
  )
}
