import { CopyButton } from '@sum28/ui/copy-button.tsx'
import { Icon } from '@sum28/ui/icon.tsx'
import type { BankCard, PayMethod, Wallet } from '#src/data/pay-method.ts'
import { GroupedAddress } from '#src/features/grouped-address.tsx'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/pay-methods/pay-card.module.css'

/** A pay method: a card with its number, or a wallet with its address. */
export function PayCard({ method }: { method: PayMethod }) {
  return method.kind === 'card' ? <CardFace card={method} /> : <WalletFace wallet={method} />
}

function CardFace({ card }: { card: BankCard }) {
  const t = useText()
  const branch = [card.branchName, card.branchCode].filter(Boolean).join(' · ')
  return (
    <article className={styles.card} data-kind="card">
      <header className={styles.head}>
        <span className={styles.names}>
          <b translate="no">{card.bank}</b>
          {branch && <span translate="no">{branch}</span>}
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
      <dl className={styles.line}>
        <dt>{t('payMethods.holder')}</dt>
        <dd translate="no">{card.holder}</dd>
      </dl>
    </article>
  )
}

function WalletFace({ wallet }: { wallet: Wallet }) {
  const t = useText()
  return (
    <article className={styles.card} data-kind="wallet">
      <header className={styles.head}>
        <span className={styles.names}>
          <b translate="no">{wallet.type}</b>
        </span>
        <Icon name="wallet" size={28} />
      </header>
      <div className={styles.foot}>
        <dl className={styles.line}>
          <dt>{t('payMethods.address')}</dt>
          <dd className={styles.address}>
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
