import type { RuleId } from '@sum28/domain/outcomes.ts'
import { payoutMax, totalStake } from '@sum28/domain/payout.ts'
import { amountText } from '@sum28/ui/amount-format.ts'
import { Button } from '@sum28/ui/button.tsx'
import { Icon } from '@sum28/ui/icon.tsx'
import { oddsText } from '@sum28/ui/number-text.ts'
import { useOutcomeWord } from '@sum28/ui/outcome-tag.tsx'
import { Dialog } from '@sum28/ui/overlays.tsx'
import { useLocale } from '@sum28/ui/text.ts'
import { showToast } from '@sum28/ui/toast-store.ts'
import { useQuery } from '@tanstack/react-query'
import { memo, useState } from 'react'
import { configQuery } from '#src/data/config.ts'
import type { Order } from '#src/data/order-attempt.ts'
import { BET_LIMITS, useLimitLeft } from '#src/features/use-limit-left.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/room/buy-panel.module.css'
import { oddsQuery, type RoomOdds } from '#src/screens/room/odds.ts'
import * as state from '#src/screens/room/room-state.ts'
import { allInOf, type PanelRoom } from '#src/screens/room/room-state.ts'
import type { ChangeRoom } from '#src/screens/room/use-room.ts'

/** Shown instead of the buy button while no bets are accepted. */
const PHASE_WORDS = {
  unknown: 'toast.loading',
  sealed: 'round.sealed',
  closed: 'round.closed',
  stopped: 'round.stopped',
  'all-stopped': 'round.allStopped',
} as const

const QUICK_AMOUNTS = [5, 10, 50, 300, 500]

type PayBarProps = {
  room: state.PanelRoom
  phase: state.Phase
  change: ChangeRoom
  placing: boolean
  onBuy: (order: Order) => void
}

/** The stake on each selection, the total, and the button that buys the bet. */
export const PayBar = memo(function PayBar(props: PayBarProps) {
  const { room, phase, change, placing, onBuy } = props
  const t = useText()
  const { tag } = useLocale()
  const { data: odds } = useQuery(oddsQuery(room.roomId))
  const { data: config } = useQuery(configQuery)
  const [allIn, setAllIn] = useState(false)
  const none = room.panel.ruleIds.length === 0

  function confirmAllIn() {
    if (state.allInOf(room) > 0n) setAllIn(true)
    else showToast(t('panel.allInNothing'))
  }

  return (
    <div className="grid-2 shrink">
      <LimitLeftLine />
      <Chosen ruleIds={room.panel.ruleIds} odds={odds} />
      <div className={styles.quick}>
        {(config?.quick_amounts ?? QUICK_AMOUNTS).map((amount) => (
          <button
            key={amount}
            type="button"
            className={styles.add}
            disabled={none}
            aria-label={t('panel.add', { amount })}
            onClick={() => change((now) => state.quickAmountAdded(now, amount, tag))}
          >
            +{amount}
          </button>
        ))}
        <button type="button" className={styles.add} disabled={none} onClick={confirmAllIn}>
          {t('panel.allIn')}
        </button>
      </div>
      <div className={styles.pay}>
        <AmountField room={room} change={change} disabled={none} />
        {phase === 'open' ? (
          <BuyButton room={room} odds={odds} placing={placing} onBuy={onBuy} />
        ) : (
          <Button className={styles.buy} disabled>
            {t(PHASE_WORDS[phase])}
          </Button>
        )}
      </div>
      <AllInDialog
        open={allIn}
        room={room}
        onClose={() => setAllIn(false)}
        onConfirm={() => {
          change((now) => state.wentAllIn(now, tag))
          setAllIn(false)
        }}
      />
    </div>
  )
})

type ChosenProps = { ruleIds: readonly RuleId[]; odds: RoomOdds | undefined }

const Chosen = memo(function Chosen({ ruleIds, odds }: ChosenProps) {
  const t = useText()
  const { tag } = useLocale()
  const word = useOutcomeWord()
  if (ruleIds.length === 0) return <p className={styles.hint}>{t('panel.choose')}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls what is focused.
    <ul className={styles.chosen} aria-label={t('panel.chosen')} tabIndex={0}>
      {ruleIds.map((ruleId) => {
        const offer = odds?.byRule.get(ruleId)
        return (
          offer && (
            <li key={ruleId}>
              {word(offer.outcome)} <span translate="no">{`× ${oddsText(offer.odds, tag)}`}</span>
            </li>
          )
        )
      })}
    </ul>
  )
})

type AmountFieldProps = { room: state.PanelRoom; change: ChangeRoom; disabled: boolean }

function AmountField({ room, change, disabled }: AmountFieldProps) {
  const t = useText()
  const { tag } = useLocale()
  const { amount } = room.panel
  return (
    <div className={styles.field} data-disabled={disabled} data-long={amount.length > 5}>
      <input
        className={styles.input}
        type="text"
        inputMode="decimal"
        autoComplete="off"
        enterKeyHint="done"
        placeholder="0"
        aria-label={t('panel.amount')}
        disabled={disabled}
        value={amount}
        onChange={(event) => {
          const typed = event.target.value
          change((now) => state.amountTyped(now, typed, tag))
        }}
      />
      {amount === '' ? (
        <span className={styles.unit}>{t('panel.each')}</span>
      ) : (
        <button
          type="button"
          className={styles.clear}
          aria-label={t('panel.clear')}
          onClick={() => change(state.amountCleared)}
        >
          <Icon name="close" size={18} />
        </button>
      )}
    </div>
  )
}

type BuyButtonProps = Pick<PayBarProps, 'room' | 'placing' | 'onBuy'> & {
  odds: RoomOdds | undefined
}

function BuyButton({ room, odds, placing, onBuy }: BuyButtonProps) {
  const t = useText()
  const { tag } = useLocale()
  const order = state.orderInPanel(room)
  const selections = room.panel.ruleIds.flatMap((ruleId) => odds?.byRule.get(ruleId) ?? [])
  if (!order || selections.length !== order.ruleIds.length) {
    return (
      <Button className={styles.buy} disabled>
        {t(room.panel.ruleIds.length === 0 ? 'panel.nothingChosen' : 'panel.noAmount')}
      </Button>
    )
  }
  const count = order.ruleIds.length
  const total = totalStake({ stake: order.stake, selections: count })
  const returns = payoutMax(order.stake, selections)
  return (
    <Button className={styles.buy} busy={placing} onClick={() => onBuy(order)}>
      <span className={styles.deal}>
        <span>{t('panel.buyFor', { count, total: amountText(total, { tag }) })}</span>{' '}
        <small>{t('panel.returns', { amount: amountText(returns, { tag }) })}</small>
      </span>
    </Button>
  )
}

type AllInDialogProps = {
  open: boolean
  room: PanelRoom
  onClose: () => void
  onConfirm: () => void
}

/** Asks for confirmation before 'all in' sets the stake; nothing is bought yet. */
function AllInDialog({ open, room, onClose, onConfirm }: AllInDialogProps) {
  const t = useText()
  const { tag } = useLocale()
  const stake = allInOf(room)
  const count = room.panel.ruleIds.length
  return (
    <Dialog
      open={open}
      onClose={onClose}
      tone="warn"
      title={t('panel.allInTitle')}
      confirm={{ label: t('panel.allInConfirm'), onConfirm }}
    >
      {t('panel.allInText', {
        count,
        each: amountText(stake, { tag }),
        total: amountText(totalStake({ stake, selections: count }), { tag }),
      })}
    </Dialog>
  )
}

/** The rest of the tightest limit on bets; empty if none is set. */
export const LimitLeftLine = memo(function LimitLeftLine() {
  const left = useLimitLeft(BET_LIMITS)
  if (left === null) return null
  return (
    <p className={styles.limitLeft}>
      <Icon name="shield" size={16} />
      <span>{left}</span>
    </p>
  )
})
