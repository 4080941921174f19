import { amountFromWire } from '@sum28/domain/money.ts'
import { useEffect, useRef } from 'react'
import { useGameZone } from '#src/data/game-zone.ts'
import { newlyCredited, type Transfer } from '#src/data/transfers.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import styles from '#src/screens/recharge/transfers.module.css'
import { AmountText } from '#src/ui/amount.tsx'
import { amountText } from '#src/ui/amount-format.ts'
import { Card, CardHeading } from '#src/ui/card.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { momentText } from '#src/ui/time-text.ts'
import { showToast } from '#src/ui/toast-store.ts'

/** Transfers to the address, from the moment they are seen; an arrival is announced. */
export function Transfers({ transfers }: { transfers: readonly Transfer[] }) {
  const t = useText()
  const { tag } = useLocale()
  const before = useRef(transfers)
  useEffect(() => {
    const [arrived] = newlyCredited(before.current, transfers)
    before.current = transfers
    if (!arrived) return
    const amount = amountText(amountFromWire(arrived.quantity), { tag })
    showToast(t('transfer.arrived', { amount }))
  }, [transfers, t, tag])

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
          <ul>
            {transfers.map((transfer) => (
              <TransferRow key={transfer.tx_id} transfer={transfer} />
            ))}
          </ul>
        )}
      </Card>
    </section>
  )
}

function TransferRow({ transfer }: { transfer: Transfer }) {
  const t = useText()
  const { tag } = useLocale()
  const { zone } = useGameZone()
  const credited = transfer.status === 'credited'
  const id = transfer.tx_id
  return (
    <li className={styles.row} data-status={transfer.status}>
      <span className={styles.sign}>
        <Icon name={credited ? 'check' : 'clock'} size={20} />
      </span>
      <span className={styles.words}>
        <span className={styles.line}>
          <b>{credited ? t('transfer.credited') : t('transfer.seen')}</b>
          <b>
            <AmountText value={transfer.quantity} decimals="all" signed={credited} />
          </b>
        </span>
        <span className={styles.line}>
          {transfer.createtime > 0 && (
            <span className="num">{momentText(transfer.createtime * 1_000, { tag, zone })}</span>
          )}
          <span className={styles.id} title={id}>
            {id.slice(0, 6)}…{id.slice(-4)}
          </span>
        </span>
      </span>
    </li>
  )
}
