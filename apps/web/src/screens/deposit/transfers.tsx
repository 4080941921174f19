import { amountFromWire } from '@sum28/domain/money.ts'
import { AmountText } from '@sum28/ui/amount.tsx'
import { amountText } from '@sum28/ui/amount-format.ts'
import { Card, CardHeading } from '@sum28/ui/card.tsx'
import { Icon, type IconName } from '@sum28/ui/icon.tsx'
import { RecordList, RecordRow, RecordSign, type RecordTone } from '@sum28/ui/record-row.tsx'
import { useLocale } from '@sum28/ui/text.ts'
import { momentText } from '@sum28/ui/time-text.ts'
import { showToast } from '@sum28/ui/toast-store.ts'
import { useEffect, useRef } from 'react'
import { useTimeFormat } from '#src/features/use-time-format.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/deposit/deposit.module.css'
import {
  keyedTransfers,
  newlyCredited,
  TRANSFER_STEPS,
  type Transfer,
} from '#src/screens/deposit/deposit-transfers.ts'

/** Transfers to the address since they were first seen; a credited one is announced. */
export function Transfers({ transfers }: { transfers: readonly Transfer[] }) {
  const t = useText()
  const { tag } = useLocale()
  const before = useRef(transfers)
  useEffect(() => {
    const arrived = newlyCredited(before.current, transfers)
    before.current = transfers
    if (arrived.length === 0) return
    const sum = arrived.reduce((total, each) => total + amountFromWire(each.quantity), 0n)
    showToast(t('transfer.arrived', { amount: amountText(sum, { tag }) }))
  }, [transfers, t, tag])

  return (
    <section className="stack-2 shrink">
      <CardHeading>{t('transfer.title')}</CardHeading>
      <Card kind="rows">
        {transfers.length === 0 ? (
          <p className={styles.noTransfers}>
            <span className={styles.pulse} />
            {t('transfer.none')}
          </p>
        ) : (
          <RecordList>
            {keyedTransfers(transfers).map(({ key, transfer }) => (
              <li key={key} className={styles.transfer}>
                <TransferRow transfer={transfer} />
              </li>
            ))}
          </RecordList>
        )}
      </Card>
    </section>
  )
}

const SIGNS = {
  seen: { icon: 'clock', tone: 'warn' },
  solid: { icon: 'shield', tone: 'accent' },
  credited: { icon: 'check', tone: 'in' },
  returned: { icon: 'back', tone: 'quiet' },
} as const satisfies Record<Transfer['status'], { icon: IconName; tone: RecordTone }>

function TransferRow({ transfer }: { transfer: Transfer }) {
  const t = useText()
  const when = useTimeFormat()
  const { tx_id: id, status, createtime } = transfer
  const credited = status === 'credited'
  return (
    <RecordRow
      sign={<RecordSign {...SIGNS[status]} />}
      // The steps below show its progress.
      title={credited || status === 'returned' ? t(`transfer.${status}`) : t('deposit.usdt')}
      value={<AmountText value={transfer.quantity} decimals="all" signed={credited} />}
      note={createtime > 0 && momentText(createtime * 1_000, when)}
      noteEnd={
        <span className={styles.transferId} title={id}>
          {id.slice(0, 6)}…{id.slice(-4)}
        </span>
      }
    >
      {!credited && status !== 'returned' && <TransferSteps status={status} />}
    </RecordRow>
  )
}

/** The progress of a transfer through its three steps. */
function TransferSteps({ status }: { status: (typeof TRANSFER_STEPS)[number] }) {
  const t = useText()
  const now = TRANSFER_STEPS.indexOf(status)
  return (
    <ol className={styles.steps}>
      {TRANSFER_STEPS.map((step, at) => (
        <li
          key={step}
          className={styles.step}
          data-at={at < now ? 'done' : at === now ? 'now' : 'later'}
          aria-current={at === now ? 'step' : undefined}
        >
          <span className={styles.dot}>{at < now && <Icon name="check" size={14} />}</span>
          {t(`transfer.${step}`)}
        </li>
      ))}
    </ol>
  )
}
