import { amountFromWire } from '@sum28/domain/money.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useGameZone } from '#src/data/game-zone.ts'
import { moneyMoved } from '#src/data/money-moved.ts'
import { keyedTransfers, newlyCredited, type Transfer } from '#src/data/transfers.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import { TransferSteps } from '#src/screens/recharge/transfer-steps.tsx'
import styles from '#src/screens/recharge/transfers.module.css'
import { AmountText } from '#src/ui/amount.tsx'
import { amountText } from '#src/ui/amount-format.ts'
import { Card, CardHeading } from '#src/ui/card.tsx'
import type { IconName } from '#src/ui/icon.tsx'
import { RecordList, RecordRow, RecordSign, type RecordTone } from '#src/ui/record-row.tsx'
import { momentText } from '#src/ui/time-text.ts'
import { showToast } from '#src/ui/toast-store.ts'

/** Transfers to the address, from the moment they are seen; an arrival is announced. */
export function Transfers({ transfers }: { transfers: readonly Transfer[] }) {
  const t = useText()
  const { tag } = useLocale()
  const queries = useQueryClient()
  const before = useRef(transfers)
  useEffect(() => {
    const arrived = newlyCredited(before.current, transfers)
    before.current = transfers
    if (arrived.length === 0) return
    moneyMoved(queries)
    const sum = arrived.reduce((total, each) => total + amountFromWire(each.quantity), 0n)
    showToast(t('transfer.arrived', { amount: amountText(sum, { tag }) }))
  }, [transfers, t, tag, queries])

  return (
    <section className={styles.section}>
      <CardHeading>{t('transfer.title')}</CardHeading>
      <Card kind="rows">
        {transfers.length === 0 ? (
          <p className={styles.none}>
            <span className={styles.pulse} />
            {t('transfer.none')}
          </p>
        ) : (
          <RecordList>
            {keyedTransfers(transfers).map(({ key, transfer }) => (
              <li key={key} className={styles.row}>
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
} as const satisfies Record<Transfer['status'], { icon: IconName; tone: RecordTone }>

function TransferRow({ transfer }: { transfer: Transfer }) {
  const t = useText()
  const { tag } = useLocale()
  const { zone } = useGameZone()
  const { tx_id: id, status, createtime } = transfer
  const credited = status === 'credited'
  return (
    <RecordRow
      sign={<RecordSign {...SIGNS[status]} />}
      // On its way, the steps below tell how far.
      title={credited ? t('transfer.credited') : t('recharge.usdt')}
      value={<AmountText value={transfer.quantity} decimals="all" signed={credited} />}
      note={createtime > 0 && momentText(createtime * 1_000, { tag, zone })}
      noteEnd={
        <span className={styles.id} title={id}>
          {id.slice(0, 6)}…{id.slice(-4)}
        </span>
      }
    >
      {!credited && <TransferSteps status={status} />}
    </RecordRow>
  )
}
