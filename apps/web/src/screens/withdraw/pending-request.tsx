import { Link } from 'react-router'
import { href } from '#src/app/routes.ts'
import { useGameZone } from '#src/data/game-zone.ts'
import type { PendingWithdrawal, WithdrawalInfo } from '#src/data/withdrawal.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import { BalanceCard } from '#src/screens/withdraw/balance-card.tsx'
import styles from '#src/screens/withdraw/pending-request.module.css'
import { useSupport } from '#src/sheets/use-support.ts'
import { AmountText } from '#src/ui/amount.tsx'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { momentText } from '#src/ui/time-text.ts'

type PendingRequestProps = { info: WithdrawalInfo; pending: PendingWithdrawal }

/** The request that is still looked at; it stands where another could be made. */
export function PendingRequest({ info, pending }: PendingRequestProps) {
  const t = useText()
  const { tag } = useLocale()
  const { zone } = useGameZone()
  const { openSupport } = useSupport()
  return (
    <>
      <BalanceCard balance={info.balance} />
      <Card className={styles.card}>
        <span className={styles.sign}>
          <Icon name="clock" size={28} />
        </span>
        <h2>{t('withdraw.pendingTitle')}</h2>
        <p className={styles.amount}>
          <AmountText value={pending.amount} />
        </p>
        <p className={styles.note}>{t('withdraw.pendingNote')}</p>
        <dl className={styles.lines}>
          <div>
            <dt>{t('withdraw.requestedAt')}</dt>
            <dd className="num">{momentText(pending.requestedAt, { tag, zone })}</dd>
          </div>
          <div>
            <dt>{t('withdraw.requestNumber')}</dt>
            <dd className="num">{pending.id}</dd>
          </div>
        </dl>
      </Card>
      <p className={styles.hint}>{t('withdraw.pendingSupport')}</p>
      <Button kind="soft" wide onClick={openSupport}>
        {t('support.title')}
      </Button>
      <Link className={buttonClass({ kind: 'plain', wide: true })} to={href('capitalDetail')}>
        {t('funds.title')}
      </Link>
    </>
  )
}
