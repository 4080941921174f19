import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import { amountText } from '@sum28/ui/amount-format.ts'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { depositQuery, sendTestUsdt, type Transfer } from '#src/data/deposit.ts'
import { useTimeFormat } from '#src/data/game-zone.ts'
import { tappedGame } from '#src/data/newcomer.ts'
import { refetchQuery } from '#src/data/query-client.ts'
import { readTypedAmount } from '#src/data/typed-amount.ts'
import { TimeLine, type TimeLineStep } from '#src/features/time-line.tsx'
import { useLocale, useText } from '#src/i18n/text.ts'
import { momentText } from '#src/i18n/time-text.ts'
import { href } from '#src/navigation/routes.ts'
import { AmountText } from '#src/parts/amount.tsx'
import { Button, LinkButton } from '#src/parts/button.tsx'
import { Callout } from '#src/parts/callout.tsx'
import { Card, CardHeading } from '#src/parts/card.tsx'
import { CopyButton } from '#src/parts/copy-button.tsx'
import { TextField } from '#src/parts/fields.tsx'
import type { IconName } from '#src/parts/icon.tsx'
import { RecordList, RecordRow, RecordSign, type RecordTone } from '#src/parts/record-row.tsx'
import { showToast } from '#src/parts/toast-store.ts'
import styles from '#src/screens/deposit/deposit.module.css'

/** USDT has six decimals. */
const DECIMALS = 6

/** In the demo only: sends test USDT to the player, over the local chain and the real watcher. */
export function DemoTransfer({ address }: { address: string }) {
  const t = useText()
  const { tag } = useLocale()
  const [amount, setAmount] = useState('1000')
  const [error, setError] = useState<string>()
  const send = useMutation({
    mutationFn: sendTestUsdt,
    onSuccess: () => {
      showToast(t('demo.sent'))
      refetchQuery(depositQuery)
    },
    onError: () => showToast(t('demo.failed'), { stays: true }),
  })

  function submit() {
    const parsed = readTypedAmount(amount, { tag, decimalsMax: DECIMALS })
    if (!parsed.ok || parsed.amount === 0n) {
      setError(t('demo.amountWrong'))
      return
    }
    send.mutate({ to: address, amount: formatAmount(parsed.amount) })
  }

  return (
    <form
      className={styles.demo}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <div className="row-2 wrap">
        <span className="warning tag bold">{t('demo.badge')}</span>
        <h2>{t('demo.title')}</h2>
      </div>
      <p className="quiet">{t('demo.hint')}</p>
      <div className="stack-3">
        <TextField
          label={t('demo.amount')}
          inputMode="decimal"
          autoComplete="off"
          value={amount}
          error={error}
          onChange={(event) => {
            setAmount(event.target.value)
            setError(undefined)
          }}
          end={<span>USDT</span>}
        />
        <Button type="submit" kind="soft" wide busy={send.isPending}>
          {t('demo.send')}
        </Button>
      </div>
    </form>
  )
}

/** Transfers to the address since they were first seen. What is new with them is said aloud. */
export function Transfers({ transfers }: { transfers: readonly Transfer[] }) {
  const t = useText()
  const { tag } = useLocale()
  const before = useRef(transfers)
  const [arrived, setArrived] = useState(0n)
  useEffect(() => {
    const credited = newlyCredited(before.current, transfers)
    before.current = transfers
    if (credited.length === 0) return
    setArrived((sum) => credited.reduce((all, each) => all + each.amount, sum))
  }, [transfers])

  return (
    <section className="stack-2 shrink">
      <div role="status" aria-live="polite">
        {arrived > 0n && <Arrived amount={arrived} />}
      </div>
      <p className="unseen" role="status" aria-live="polite">
        {keyedTransfers(transfers)
          .filter(({ transfer: { status } }) => status === 'seen' || status === 'solid')
          .map(({ transfer: { amount, status } }) =>
            t('transfer.said', {
              amount: amountText(amount, { tag }),
              state: t(`transfer.${status}`),
            }),
          )
          .join(' ')}
      </p>
      <CardHeading>{t('transfer.title')}</CardHeading>
      <Card kind="rows">
        {transfers.length === 0 ? (
          <p className="row-3 quiet row-space">
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

function Arrived({ amount }: { amount: Amount }) {
  const t = useText()
  const { tag } = useLocale()
  return (
    <div className="grid-3">
      <Callout icon="check" tone="accent">
        {t('transfer.arrived', { amount: amountText(amount, { tag }) })}
      </Callout>
      <LinkButton kind="soft" wide to={href('hall', tappedGame())}>
        {t('transfer.toRooms')}
      </LinkButton>
    </div>
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
  const { transactionId: id, status, createdAt } = transfer
  const credited = status === 'credited'

  function confirmationsText(): string | false {
    if (!transfer.confirmations) return false
    const { count, needed } = transfer.confirmations
    return t('transfer.confirmations', { count: Math.min(count, needed), needed })
  }

  return (
    <RecordRow
      sign={<RecordSign {...SIGNS[status]} />}
      // The steps below show its progress.
      title={credited || status === 'returned' ? t(`transfer.${status}`) : t('deposit.usdt')}
      value={<AmountText value={transfer.amount} decimals="all" signed={credited} />}
      note={createdAt > 0 && momentText(createdAt, when)}
      noteEnd={
        <span className={styles.transaction}>
          <span className="mono" translate="no">
            {id.slice(0, 6)}…{id.slice(-4)}
          </span>
          <CopyButton small value={id} label={t('withdrawal.copyReference')} />
        </span>
      }
    >
      {!credited && status !== 'returned' && (
        <TimeLine
          steps={TRANSFER_STEPS.map((step, at) => ({
            label: t(`transfer.${step}`),
            note: step === 'solid' && status === 'seen' && confirmationsText(),
            at: stepAt(at, TRANSFER_STEPS.indexOf(status)),
          }))}
        />
      )}
    </RecordRow>
  )
}

/** The last step that was reached is done; the next one is under way. */
function stepAt(at: number, reached: number): TimeLineStep['at'] {
  return at <= reached ? 'done' : at === reached + 1 ? 'now' : 'later'
}

const TRANSFER_STEPS = [
  'seen',
  'solid',
  'credited',
] as const satisfies readonly Transfer['status'][]

/** A key for each transfer, the same in every reply; one transaction may hold several transfers. */
export function keyedTransfers(
  transfers: readonly Transfer[],
): { key: string; transfer: Transfer }[] {
  const counts = new Map<string, number>()
  return transfers.map((transfer) => {
    const nth = counts.get(transfer.transactionId) ?? 0
    counts.set(transfer.transactionId, nth + 1)
    return { key: `${transfer.transactionId}:${nth}`, transfer }
  })
}

/** The transfers that are credited in the later reply and were not credited in the earlier one. */
export function newlyCredited(
  before: readonly Transfer[],
  after: readonly Transfer[],
): readonly Transfer[] {
  const earlierKeys = new Set(credited(before).map(({ key }) => key))
  return credited(after)
    .filter(({ key }) => !earlierKeys.has(key))
    .map(({ transfer }) => transfer)
}

function credited(transfers: readonly Transfer[]) {
  return keyedTransfers(transfers).filter(({ transfer }) => transfer.status === 'credited')
}
