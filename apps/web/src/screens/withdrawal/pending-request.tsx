import { AmountText } from '@sum28/ui/amount.tsx'
import { Button, buttonClass } from '@sum28/ui/button.tsx'
import { Card } from '@sum28/ui/card.tsx'
import { Icon } from '@sum28/ui/icon.tsx'
import { LabelValue, LabelValues } from '@sum28/ui/label-values.tsx'
import { momentText } from '@sum28/ui/time-text.ts'
import { Link } from '#src/app/navigation.tsx'
import { href } from '#src/app/routes.ts'
import type { PendingWithdrawal, WithdrawalInfo } from '#src/data/withdrawal.ts'
import { useSupport } from '#src/features/use-support.ts'
import { useTimeFormat } from '#src/features/use-time-format.ts'
import { useText } from '#src/i18n/text.ts'
import { BalanceCard } from '#src/screens/withdrawal/balance-card.tsx'
import styles from '#src/screens/withdrawal/pending-request.module.css'

type PendingRequestProps = { info: WithdrawalInfo; pending: PendingWithdrawal }

/** The open request, shown instead of the form. */
export function PendingRequest({ info, pending }: PendingRequestProps) {
  const t = useText()
  const when = useTimeFormat()
  const { openSupport } = useSupport()
  return (
    <>
      <BalanceCard balance={info.balance} />
      <Card className={styles.card}>
        <span className={styles.sign}>
          <Icon name="clock" size={28} />
        </span>
        <h2>{t('withdrawal.pendingTitle')}</h2>
        <p className={styles.amount}>
          <AmountText value={pending.amount} />
        </p>
        <p className={styles.note}>{t('withdrawal.pendingNote')}</p>
        <div className={styles.lines}>
          <LabelValues kind="boxed">
            <LabelValue label={t('withdrawal.requestedAt')}>
              {momentText(pending.requestedAt, when)}
            </LabelValue>
            <LabelValue label={t('withdrawal.requestNumber')}>{pending.id}</LabelValue>
          </LabelValues>
        </div>
      </Card>
      <p className={styles.hint}>{t('withdrawal.pendingSupport')}</p>
      <Button kind="soft" wide onClick={openSupport}>
        {t('support.title')}
      </Button>
      <Link className={buttonClass({ kind: 'plain', wide: true })} to={href('statement')}>
        {t('statement.title')}
      </Link>
    </>
  )
}
