import { NAMED_OUTCOMES } from '@sum28/domain/digits.ts'
import type { Amount } from '@sum28/domain/money.ts'
import { namedOutcomeHits, type RuleId, SUMS } from '@sum28/domain/outcomes.ts'
import { amountText } from '@sum28/ui/amount-format.ts'
import { useWide } from '@sum28/ui/use-window-value.ts'
import { useQuery } from '@tanstack/react-query'
import {
  memo,
  type RefObject,
  startTransition,
  use,
  useCallback,
  useEffect,
  useId,
  useState,
} from 'react'
import type { Offer } from '#src/data/offer.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { OddsTable } from '#src/features/odds-table.tsx'
import { useOutcomeWord } from '#src/features/outcome-tag.tsx'
import { type RoundClock, RoundRing } from '#src/features/round-clock.tsx'
import { oddsText, shareText } from '#src/i18n/number-text.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import { Icon } from '#src/parts/icon.tsx'
import { Skeleton, Skeletons } from '#src/parts/skeleton.tsx'
import { Tabs } from '#src/parts/tabs.tsx'
import { whenIdle } from '#src/parts/when-idle.ts'
import { oddsQuery, type RoomOdds } from '#src/screens/room/odds.ts'
import { LimitLeftLine, PayBar, type PayBarProps } from '#src/screens/room/pay-bar.tsx'
import { PersistentSheet } from '#src/screens/room/persistent-sheet.tsx'
import styles from '#src/screens/room/room.module.css'
import * as state from '#src/screens/room/room-state.ts'
import { BalanceContext, type ChangeRoom } from '#src/screens/room/use-room.ts'

type BuyPanelProps = PayBarProps & {
  clock: RoundClock
  opener: RefObject<HTMLElement | null>
}

/**
 * The bet panel: selections, stake, and possible payout. Rendered in advance and kept, so that it
 * opens at once on a slow phone; on a wide screen always there, beside the feed.
 */
export const BuyPanel = memo(function BuyPanel({ clock, opener, ...pay }: BuyPanelProps) {
  const { room, change, stakeMin } = pay
  const t = useText()
  const { open, tab, ruleIds } = room.panel
  const wide = useWide()
  const headingId = useId()
  if (!useRenderWhenIdle(open || wide)) return null
  const title = t('round.number', { round: room.round?.roundId || '–' })
  const ways = (
    <WaysToPlay
      roomId={room.roomId}
      tab={tab}
      chosen={ruleIds}
      change={change}
      stakeMin={stakeMin}
    />
  )
  const payBar = <PayBar {...pay} />
  if (wide) {
    return (
      <aside className={styles.beside} aria-labelledby={headingId}>
        <div className="row-space">
          <h2 id={headingId}>{title}</h2>
          <LimitLeftLine />
        </div>
        <div>{ways}</div>
        <div className="row-space">{payBar}</div>
      </aside>
    )
  }
  return (
    <PersistentSheet
      open={open}
      opener={opener}
      onClose={() => change(state.panelClosed)}
      title={title}
      note={<LimitLeftLine />}
      end={<RoundRing size="m" clock={clock} />}
      footer={payBar}
    >
      {ways}
    </PersistentSheet>
  )
})

type WaysToPlayProps = {
  roomId: number
  tab: state.PanelTab
  chosen: readonly RuleId[]
  change: ChangeRoom
  stakeMin: Amount
}

/** Rerenders for each change of the selections, but not for each key or second. */
const WaysToPlay = memo(function WaysToPlay(props: WaysToPlayProps) {
  const { roomId, tab, chosen, change, stakeMin } = props
  const t = useText()
  const odds = useQuery(oddsQuery(roomId))
  const toggle = useCallback(
    (ruleId: RuleId) => change((now) => state.ruleToggled(now, ruleId)),
    [change],
  )
  return (
    <div className={styles.ways}>
      <Tabs
        label={t('panel.tabs')}
        kind="strip"
        value={tab}
        onChange={(next) => change((now) => state.tabChosen(now, next))}
        end={<TicketFacts stakeMin={stakeMin} payoutMax={odds.data?.payoutMax} />}
        tabs={[
          {
            value: 'regular',
            label: t('panel.regular'),
            content: (
              <Loaded query={odds} skeleton={<PanelSkeleton />}>
                {(offers) => <OfferGrids odds={offers} chosen={chosen} onToggle={toggle} />}
              </Loaded>
            ),
          },
        ]}
      />
    </div>
  )
})

type TicketFactsProps = { stakeMin: Amount; payoutMax: Amount | undefined }

function TicketFacts({ stakeMin, payoutMax }: TicketFactsProps) {
  const t = useText()
  return (
    <dl className={styles.facts}>
      <BalanceFact />
      <TicketFact label={t('panel.minimum')} amount={stakeMin} />
      <TicketFact label={t('panel.most')} amount={payoutMax ?? null} />
    </dl>
  )
}

function BalanceFact() {
  return <TicketFact label={useText()('home.balance')} amount={use(BalanceContext)} />
}

function TicketFact({ label, amount }: { label: string; amount: Amount | null }) {
  const { tag } = useLocale()
  return (
    <div>
      <dt>{label}</dt>
      <dd className="num" translate="no">
        {amount === null ? '–' : amountText(amount, { tag }).replace(/\D00$/, '')}
      </dd>
    </div>
  )
}

function PanelSkeleton() {
  return (
    <>
      <Skeletons heights={[46, 46]} />
      <Skeleton height={172} />
    </>
  )
}

/** Whether to render a hidden part: once the browser is idle, or as soon as it is needed. */
function useRenderWhenIdle(wanted: boolean): boolean {
  const [made, setMade] = useState(wanted)
  if (wanted && !made) setMade(true)

  useEffect(() => {
    if (!made) return whenIdle(() => startTransition(() => setMade(true)))
  }, [made])

  return made || wanted
}

type OfferGridsProps = {
  odds: RoomOdds
  chosen: readonly RuleId[]
  onToggle: (ruleId: RuleId) => void
}

const OfferGrids = memo(function OfferGrids({ odds, chosen, onToggle }: OfferGridsProps) {
  const t = useText()
  const { tag } = useLocale()
  const picks = (offers: readonly Offer[]) =>
    offers.map((offer) => (
      <Pick
        key={offer.ruleId}
        offer={offer}
        chosen={chosen.includes(offer.ruleId)}
        onToggle={onToggle}
      />
    ))
  return (
    <>
      <fieldset className={styles.named}>
        <legend className="unseen">{t('panel.regular')}</legend>
        {picks(odds.named)}
      </fieldset>
      <fieldset className={styles.sums}>
        <legend className="unseen">{t('panel.sums')}</legend>
        {picks(odds.sums)}
      </fieldset>
      <ChanceTable odds={odds} />
      <p className="caption">
        {t('panel.payoutMax', { amount: amountText(odds.payoutMax, { tag }) })}
      </p>
    </>
  )
})

type PickProps = { offer: Offer; chosen: boolean; onToggle: (ruleId: RuleId) => void }

const Pick = memo(function Pick({ offer, chosen, onToggle }: PickProps) {
  const { tag } = useLocale()
  const word = useOutcomeWord()
  const odds = oddsText(offer.odds, tag)
  const sums = SUMS_OF[offer.outcome]
  return (
    <button
      type="button"
      className={styles.pick}
      aria-pressed={chosen}
      onClick={() => onToggle(offer.ruleId)}
    >
      <span className={styles.pickName}>{word(offer.outcome)}</span>{' '}
      <span className={styles.pickOdds} translate="no" data-long={odds.length > LONG_ODDS}>
        {odds}
      </span>
      {/* The table of chances has it in words. */}
      <span className={styles.pickSums} translate="no" aria-hidden="true">
        {sums && <span>{sums}</span>} <span>{shareText(offer.chance, tag)}</span>
      </span>
    </button>
  )
})

/** Odds with more characters are written smaller. */
const LONG_ODDS = 6

/** The least and the greatest sum of each named outcome. */
const SUMS_OF: Readonly<Record<string, string>> = Object.fromEntries(
  NAMED_OUTCOMES.map((outcome) => {
    const sums = SUMS.filter((sum) => namedOutcomeHits(outcome, sum))
    return [outcome, `${sums[0]}–${sums.at(-1)}`]
  }),
)

function ChanceTable({ odds }: { odds: RoomOdds }) {
  const t = useText()
  const [unfolded, setUnfolded] = useState(false)
  return (
    <details onToggle={(event) => event.currentTarget.open && setUnfolded(true)}>
      <summary className="small strong ink-accent">
        {t('panel.chances')}
        <Icon name="down" size={18} />
      </summary>
      <p className="caption ink-2">{t('panel.chancesHint')}</p>
      {/* Rendered only when unfolded: otherwise the panel would open late. */}
      {unfolded && <OddsTable odds={odds} brief />}
    </details>
  )
}
