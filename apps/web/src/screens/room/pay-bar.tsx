import { type Amount, MICRO } from '@sum28/domain/money.ts'
import { type RuleId, waysOfAny } from '@sum28/domain/outcomes.ts'
import { payoutMax, totalStake } from '@sum28/domain/payout.ts'
import { amountText } from '@sum28/ui/amount-format.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ChangeEvent, memo, use, useRef, useState } from 'react'
import { configQuery } from '#src/data/config.ts'
import { isWrongSoFar } from '#src/data/typed-amount.ts'
import { STOPPED_WORDS } from '#src/features/round-clock.tsx'
import { BET_LIMITS, useLimitLeft, useTightestLimit } from '#src/features/use-limit-left.ts'
import { shareText } from '#src/i18n/number-text.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import { Button } from '#src/parts/button.tsx'
import { Icon } from '#src/parts/icon.tsx'
import { Dialog } from '#src/parts/overlays.tsx'
import { showToast } from '#src/parts/toast-store.ts'
import { useLastValue } from '#src/parts/use-last-value.ts'
import { oddsQuery, type RoomOdds } from '#src/screens/room/odds.ts'
import { newestBet } from '#src/screens/room/own-bets.ts'
import styles from '#src/screens/room/room.module.css'
import type { Order } from '#src/screens/room/room-state.ts'
import * as state from '#src/screens/room/room-state.ts'
import { allInOf, type PanelRoom } from '#src/screens/room/room-state.ts'
import { BalanceContext, type ChangeRoom } from '#src/screens/room/use-room.ts'

/** Shown instead of the buy button while no bets are accepted. */
const PHASE_WORDS = { open: 'order.waits', ...STOPPED_WORDS } as const

const QUICK_AMOUNTS = [5, 10, 50, 300, 500]

const SCALES = [
  { by: 'half', sign: '½' },
  { by: 'double', sign: '×2' },
] as const

export type PayBarProps = {
  room: state.PanelRoom
  phase: state.Phase
  change: ChangeRoom
  /** The order that is under way, perhaps another than the panel's, or null. */
  placing: Order | null
  onBuy: (order: Order) => void
  /** The smallest total of one order. */
  stakeMin: Amount
  gameName: string
  /** Whether an earlier order has no answer yet. */
  waits: boolean
}

/** The stake on each selection, the total, and the button that buys the bet. */
export const PayBar = memo(function PayBar(props: PayBarProps) {
  const { room, phase, change, placing, onBuy, stakeMin, gameName, waits } = props
  const t = useText()
  const { tag } = useLocale()
  const { data: odds } = useQuery(oddsQuery(room.roomId))
  const { data: config } = useQuery(configQuery)
  const [allIn, setAllIn] = useState(false)
  const none = room.panel.ruleIds.length === 0
  const line = useRef<HTMLDivElement>(null)

  return (
    <div className={styles.bar}>
      <div ref={line} className={styles.line} tabIndex={-1}>
        <ChosenLine ruleIds={room.panel.ruleIds} odds={odds} />
        {none && (
          <SameAgain
            gameName={gameName}
            onChoose={(last) => {
              change((now) => state.chosenAgain(now, last, tag))
              // Its button goes with its press.
              line.current?.focus()
            }}
          />
        )}
        {room.panel.stake !== null &&
          SCALES.map(({ by, sign }) => (
            <button
              key={by}
              type="button"
              className={styles.pill}
              aria-label={`${sign} ${t(`panel.${by}`)}`}
              onClick={() => change((now) => state.stakeScaled(now, by, tag))}
            >
              {sign}
            </button>
          ))}
      </div>
      <div className={styles.quick}>
        {(config?.quickAmounts ?? QUICK_AMOUNTS).map((amount) => (
          <button
            key={amount}
            type="button"
            className={styles.add}
            disabled={none}
            aria-label={`+${amount} ${t('panel.add')}`}
            onClick={() => change((now) => state.quickAmountAdded(now, amount, tag))}
          >
            +{amount}
          </button>
        ))}
        <AllInButton room={room} onAllIn={() => setAllIn(true)} />
      </div>
      <div className={styles.pay}>
        <AmountField room={room} change={change} disabled={none} />
        <BuyButton {...{ room, odds, phase, waits, placing, onBuy, stakeMin }} />
      </div>
      <AllInDialog
        open={allIn}
        room={room}
        onClose={() => setAllIn(false)}
        onConfirm={(stake) => {
          change((now) => state.withStake(now, stake, tag))
          setAllIn(false)
        }}
      />
    </div>
  )
})

type ChosenLineProps = { ruleIds: readonly RuleId[]; odds: RoomOdds | undefined }

const ChosenLine = memo(function ChosenLine({ ruleIds, odds }: ChosenLineProps) {
  const t = useText()
  const { tag } = useLocale()
  const count = ruleIds.length
  const selections = ruleIds.flatMap((ruleId) => odds?.byRule.get(ruleId) ?? [])
  const stakes = totalStake({ stake: MICRO, selections: selections.length })
  // By the odds alone, whatever is staked on each.
  const loses = selections.length > 0 && payoutMax(MICRO, selections) < stakes
  const chance = shareText(String(waysOfAny(ruleIds) / 1_000), tag)
  const words = count === 0 ? t('panel.choose') : t('panel.chanceOfChosen', { count, chance })
  return (
    <>
      <p className={loses ? 'strong ink-bad' : undefined}>
        {loses ? t('panel.alwaysLoses') : words}
      </p>
      <Hindrance text={loses ? t('panel.alwaysLoses') : null} />
    </>
  )
})

type SameAgainProps = { onChoose: (last: state.SameBet) => void; gameName: string }

function SameAgain({ onChoose, gameName }: SameAgainProps) {
  const t = useText()
  const last = newestBet(useQueryClient(), gameName)
  if (!last) return null
  return (
    <button type="button" className={styles.pill} onClick={() => onChoose(last)}>
      <Icon name="refresh" size={14} />
      {t('panel.sameAgain')}
    </button>
  )
}

type AmountFieldProps = { room: state.PanelRoom; change: ChangeRoom; disabled: boolean }

function AmountField({ room, change, disabled }: AmountFieldProps) {
  const t = useText()
  const { tag } = useLocale()
  const { amount } = room.panel
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className={styles.field} data-disabled={disabled} data-long={amount.length > 5}>
      <input
        ref={input}
        className={styles.input}
        type="text"
        inputMode="decimal"
        autoComplete="off"
        enterKeyHint="done"
        placeholder="0"
        aria-label={t('panel.amount')}
        disabled={disabled}
        {...useAmountInput(amount, (typed) => change((now) => state.amountTyped(now, typed, tag)))}
      />
      {amount === '' ? (
        <span className={styles.unit}>{t('panel.each')}</span>
      ) : (
        <button
          type="button"
          className={styles.clear}
          disabled={disabled}
          aria-label={t('panel.clear')}
          onClick={({ detail }) => {
            change(state.amountCleared)
            // After a press of a key: this button goes with it. A tap would open the phone's keyboard.
            if (detail === 0) input.current?.focus()
          }}
        >
          <Icon name="close" size={18} />
        </button>
      )}
    </div>
  )
}

/**
 * Properties of an input for an amount. What an input method composes stays as it is until its end, since changing it
 * would end the composition; it is read all the same.
 */
export function useAmountInput(amount: string, onTyped: (typed: string) => void) {
  const [composed, setComposed] = useState<string | null>(null)
  return {
    value: composed ?? amount,
    onChange: ({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) => {
      setComposed((nativeEvent as InputEvent).isComposing ? target.value : null)
      onTyped(target.value)
    },
    onCompositionEnd: () => setComposed(null),
  }
}

type BuyButtonProps = Omit<PayBarProps, 'change' | 'gameName'> & { odds: RoomOdds | undefined }

/** Always the same button, or the focus that is on it would be lost when bets are closed. */
function BuyButton(props: BuyButtonProps) {
  const { room, odds, phase, placing, onBuy, stakeMin } = props
  const t = useText()
  const { tag } = useLocale()
  const hindranceOf = useHindrance(stakeMin)
  const busy = placing !== null && state.isInPanel(placing, room)
  const waits = props.waits || (placing !== null && !busy)
  if (waits || phase !== 'open') {
    const { round } = room
    const isVoided = round?.lastDraw?.voided && round.lastDraw.roundId === round.roundId
    const sealed = isVoided ? 'round.voided' : 'round.sealed'
    const words = { ...PHASE_WORDS, sealed } as const
    return (
      <>
        <Hindrance text={null} />
        <Button className={styles.payButton} off>
          {t(words[waits ? 'open' : phase])}
        </Button>
      </>
    )
  }
  const order = state.orderInPanel(room)
  const selections = room.panel.ruleIds.flatMap((ruleId) => odds?.byRule.get(ruleId) ?? [])
  if (!order || !odds || selections.length !== order.ruleIds.length) {
    const wrong = isWrongSoFar(room.panel.amount, { tag }) ? t('withdrawal.amountWrong') : null
    const missing = room.panel.ruleIds.length === 0 ? 'panel.nothingChosen' : 'panel.noAmount'
    return (
      <>
        <Hindrance text={wrong} />
        <Button className={styles.payButton} off>
          {wrong ? <span className={styles.deal}>{wrong}</span> : t(missing)}
        </Button>
      </>
    )
  }
  const count = order.ruleIds.length
  const total = totalStake({ stake: order.stake, selections: count })
  const returns = payoutMax(order.stake, selections)
  const hindrance = hindranceOf({ total, returns }, odds, use(BalanceContext))
  if (hindrance && !busy) {
    return (
      <>
        <Hindrance text={hindrance} />
        <Button className={styles.payButton} off>
          <span className={styles.deal}>{hindrance}</span>
        </Button>
      </>
    )
  }
  return (
    <>
      <Hindrance text={null} />
      <Button className={styles.payButton} busy={busy} onClick={() => onBuy(order)}>
        <span className={styles.deal}>
          <span>{t('panel.buyFor', { count, total: amountText(total, { tag }) })}</span>{' '}
          <small>{t('panel.returns', { amount: amountText(returns, { tag }) })}</small>
        </span>
      </Button>
    </>
  )
}

/** Says to screen readers what is wrong with the choice, or why the button is off, wherever the focus is. */
function Hindrance({ text }: { text: string | null }) {
  return (
    <span className="unseen" role="status">
      {text}
    </span>
  )
}

/** Says why an order would be refused; null where nothing hinders it. */
export function useHindrance(stakeMin: Amount) {
  const t = useText()
  const { tag } = useLocale()
  const limitLeft = useTightestLimit(BET_LIMITS)?.left ?? null
  return (
    order: { total: Amount; returns: Amount },
    { payoutMax }: RoomOdds,
    balance: Amount | null,
  ): string | null => {
    const limits = { stakeMin, balance, payoutMax, limitLeft }
    const hindrance = state.orderHindrance(order, limits)
    if (!hindrance) return null
    return t(`panel.${hindrance.because}`, { amount: amountText(hindrance.amount, { tag }) })
  }
}

function AllInButton({ room: { panel }, onAllIn }: { room: PanelRoom; onAllIn: () => void }) {
  const t = useText()
  const balance = use(BalanceContext)
  const left = useTightestLimit(BET_LIMITS)?.left ?? null

  function confirm() {
    if (allInOf({ balance, panel }, left) > 0n) onAllIn()
    else showToast(t('panel.allInNothing'), { stays: true })
  }

  return (
    <button
      type="button"
      className={styles.add}
      disabled={panel.ruleIds.length === 0}
      onClick={confirm}
    >
      {t('panel.allIn')}
    </button>
  )
}

type AllInDialogProps = {
  open: boolean
  room: PanelRoom
  onClose: () => void
  onConfirm: (stake: Amount) => void
}

/** Asks for confirmation before 'all in' sets the stake; nothing is bought yet. */
function AllInDialog({ open, room, onClose, onConfirm }: AllInDialogProps) {
  const t = useText()
  const { tag } = useLocale()
  const { panel } = room
  const balance = open ? use(BalanceContext) : null
  const left = useTightestLimit(BET_LIMITS)?.left ?? null
  const most = allInOf({ balance, panel }, left)
  const stake = useLastValue(open ? most : null) ?? 0n
  const byLimit = useLastValue(open ? most < allInOf({ balance, panel }) : null)
  const count = panel.ruleIds.length
  return (
    <Dialog
      open={open}
      onClose={onClose}
      tone="warn"
      title={t(byLimit ? 'panel.allInLimitTitle' : 'panel.allInTitle')}
      confirm={{ label: t('panel.allInConfirm'), onConfirm: () => onConfirm(stake) }}
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
    <p className="row-2 caption num">
      <Icon name="shield" size={16} />
      <span>{left}</span>
    </p>
  )
})
