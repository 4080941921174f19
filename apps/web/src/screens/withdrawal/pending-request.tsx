import { AmountText } from '@sum28/ui/amount.tsx'
import { Button, buttonClass } from '@sum28/ui/button.tsx'
import { Card } from '@sum28/ui/card.tsx'
import { Icon } from '@sum28/ui/icon.tsx'
import { useLocale } from '@sum28/ui/text.ts'
import { momentText } from '@sum28/ui/time-text.ts'
import { Link } from 'react-router'
import { href } from '#src/app/routes.ts'
import { useGameZone } from '#src/data/game-zone.ts'
import type { PendingWithdrawal, WithdrawalInfo } from '#src/data/withdrawal.ts'
import { useSupport } from '#src/features/use-support.ts'
import { useText } from '#src/i18n/text.ts'
import { BalanceCard } from '#src/screens/withdrawal/balance-card.tsx'
import styles from '#src/screens/withdrawal/pending-request.module.css'

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
      <Link className={buttonClass({ kind: 'plain', wide: true })} to={href('statement')}>
        {t('funds.title')}
      </Link>
    </>
  )
}
