import { useQuery } from '@tanstack/react-query'
import {
  type BankCard,
  kindOfNumber,
  type PayKind,
  type PayMethod,
  type Wallet,
} from '#src/data/pay-method.ts'
import { payMethodQuery } from '#src/data/saved-pay-methods.ts'
import { GroupedAddress } from '#src/features/grouped-address.tsx'
import { EmptyState, Loaded } from '#src/features/loaded.tsx'
import { Screen } from '#src/features/screen.tsx'
import { type TextKey, useText } from '#src/i18n/text.ts'
import { useRouteQuery } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { LinkButton } from '#src/parts/button.tsx'
import { Callout } from '#src/parts/callout.tsx'
import { CopyButton } from '#src/parts/copy-button.tsx'
import { Icon, type IconName } from '#src/parts/icon.tsx'
import { Skeleton } from '#src/parts/skeleton.tsx'
import styles from '#src/screens/pay-methods/pay-methods.module.css'

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
  const [{ type }] = useRouteQuery('payMethods')
  const kind = kindOfNumber(type)
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
              <LinkButton kind="soft" wide to={href(words.addRoute)}>
                {t(words.change)}
              </LinkButton>
            </>
          ) : (
            <EmptyState icon={words.icon} title={t(words.none)} hint={t(words.noneHint)}>
              <LinkButton to={href(words.addRoute)}>{t(words.add)}</LinkButton>
            </EmptyState>
          )
        }
      </Loaded>
    </Screen>
  )
}

function PayCard({ method }: { method: PayMethod }) {
  return method.kind === 'card' ? <CardFace card={method} /> : <WalletFace wallet={method} />
}

function CardFace({ card }: { card: BankCard }) {
  const t = useText()
  const { branchName: branch, branchCode: code } = card
  return (
    <article className={styles.card} data-kind="card">
      <header className="spread-3">
        <span className="lines anywhere">
          <b className="bold" translate="no">
            {card.bank}
          </b>
          {(branch || code) && (
            <span className="small dim" translate="no">
              <bdi>{branch}</bdi>
              {branch && code && ' · '}
              {code}
            </span>
          )}
        </span>
        <Icon name="card" size={28} />
      </header>
      <p>
        <span className="unseen">{t('payMethods.endsIn', { digits: card.lastFour })}</span>
        <span aria-hidden="true" className={styles.hidden}>
          <i>••••</i>
          <i>••••</i>
          <i>••••</i>
          <i className="num">{card.lastFour}</i>
        </span>
      </p>
      <dl className="shrink">
        <dt className="small dim">{t('payMethods.holder')}</dt>
        <dd className="strong anywhere" translate="no">
          {card.holder}
        </dd>
      </dl>
    </article>
  )
}

function WalletFace({ wallet }: { wallet: Wallet }) {
  const t = useText()
  return (
    <article className={styles.card} data-kind="wallet">
      <header className="spread-3">
        <span className="lines anywhere">
          <b className="bold" translate="no">
            {wallet.type}
          </b>
        </span>
        <Icon name="wallet" size={28} />
      </header>
      <div className={styles.foot}>
        <dl className="shrink">
          <dt className="small dim">{t('payMethods.address')}</dt>
          <dd>
            <GroupedAddress address={wallet.address} />
          </dd>
        </dl>
        <CopyButton
          small
          value={wallet.address}
          label={t('copy.label', { what: t('payMethods.address') })}
        />
      </div>
    </article>
  )
}
