import type { RuleId } from '@sum28/domain/outcomes.ts'
import { CountdownRing } from '@sum28/ui/countdown-ring.tsx'
import { PersistentSheet } from '@sum28/ui/persistent-sheet.tsx'
import { Skeleton, Skeletons } from '@sum28/ui/skeleton.tsx'
import { Tabs } from '@sum28/ui/tabs.tsx'
import { useQuery } from '@tanstack/react-query'
import { memo, type RefObject, useCallback } from 'react'
import { oddsQuery } from '#src/data/odds.ts'
import type { Order } from '#src/data/order-attempt.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { useText } from '#src/i18n/text.ts'
import { CLOCK_WORDS, type RoomClock } from '#src/screens/room/clock-words.ts'
import { OfferGrids } from '#src/screens/room/offer-grids.tsx'
import { usePanelHeight } from '#src/screens/room/panel-height.ts'
import { PayBar } from '#src/screens/room/pay-bar.tsx'
import * as state from '#src/screens/room/room-state.ts'
import { useRenderWhenIdle } from '#src/screens/room/use-render-when-idle.ts'
import type { ChangeRoom } from '#src/screens/room/use-room.ts'

type BuyPanelProps = {
  room: state.PanelRoom
  clock: RoomClock
  tint: string | undefined
  change: ChangeRoom
  placing: boolean
  onBuy: (order: Order) => void
  opener: RefObject<HTMLElement | null>
}

/**
 * The bet panel: selections, stake, and possible payout. Rendered in advance and kept, so that it
 * opens at once on a slow phone.
 */
export const BuyPanel = memo(function BuyPanel(props: BuyPanelProps) {
  const { room, clock, tint, change, placing, onBuy, opener } = props
  const t = useText()
  const height = usePanelHeight()
  const close = useCallback(() => change(state.panelClosed), [change])
  const { open, tab, ruleIds } = room.panel
  if (!useRenderWhenIdle(open)) return null
  return (
    <PersistentSheet
      open={open}
      onClose={close}
      opener={opener}
      title={t('panel.round', { issue: room.round?.issue || '–' })}
      height={height}
      game={tint}
      end={
        <CountdownRing
          size="s"
          seconds={clock.seconds}
          total={clock.total}
          over={t(CLOCK_WORDS[clock.phase])}
        />
      }
      footer={
        <PayBar room={room} phase={clock.phase} change={change} placing={placing} onBuy={onBuy} />
      }
    >
      <WaysToPlay roomId={room.roomId} tab={tab} chosen={ruleIds} change={change} />
    </PersistentSheet>
  )
})

type WaysToPlayProps = {
  roomId: number
  tab: state.PanelTab
  chosen: readonly RuleId[]
  change: ChangeRoom
}

/** Rerenders for each change of the selections, but not for each key or second. */
const WaysToPlay = memo(function WaysToPlay({ roomId, tab, chosen, change }: WaysToPlayProps) {
  const t = useText()
  const odds = useQuery(oddsQuery(roomId))
  const toggle = useCallback(
    (ruleId: RuleId) => change((now) => state.ruleToggled(now, ruleId)),
    [change],
  )
  return (
    <Tabs
      label={t('panel.tabs')}
      kind="strip"
      value={tab}
      onChange={(next) => change((now) => state.tabChosen(now, next))}
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
  )
})

function PanelSkeleton() {
  return (
    <>
      <Skeletons heights={[52, 52]} />
      <Skeleton height={20} width="30%" />
      <Skeleton height={180} />
    </>
  )
}
