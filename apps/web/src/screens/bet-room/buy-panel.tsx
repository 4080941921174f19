import type { RuleId } from '@sum28/domain/outcomes.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { RoomOdds } from '#src/data/odds.ts'
import type { Order } from '#src/data/order-attempt.ts'
import { useText } from '#src/i18n/text.ts'
import { CLOCK_WORDS, type RoomClock } from '#src/screens/bet-room/clock-words.ts'
import { OfferGrids } from '#src/screens/bet-room/offer-grids.tsx'
import { PanelSkeleton } from '#src/screens/bet-room/panel-skeleton.tsx'
import { PayBar } from '#src/screens/bet-room/pay-bar.tsx'
import * as state from '#src/screens/bet-room/room-state.ts'
import { usePanelHeight } from '#src/screens/bet-room/use-panel-height.ts'
import type { ChangeRoom } from '#src/screens/bet-room/use-room.ts'
import { CountdownRing } from '#src/ui/countdown-ring.tsx'
import { Loaded } from '#src/ui/loaded.tsx'
import { Sheet } from '#src/ui/sheet.tsx'
import { Tabs } from '#src/ui/tabs.tsx'

type BuyPanelProps = {
  room: state.RoomState
  clock: RoomClock
  odds: UseQueryResult<RoomOdds, Error>
  tint: string | undefined
  change: ChangeRoom
  placing: boolean
  onBuy: (order: Order) => void
}

/** From where bets are placed: what on, how much, and what it may return. */
export function BuyPanel({ room, clock, odds, tint, change, placing, onBuy }: BuyPanelProps) {
  const t = useText()
  const height = usePanelHeight()
  const toggle = useCallback(
    (ruleId: RuleId) => change((now) => state.ruleToggled(now, ruleId)),
    [change],
  )
  return (
    <Sheet
      open={room.panel.open}
      onClose={() => change(state.panelClosed)}
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
        <PayBar
          room={room}
          clock={clock}
          odds={odds.data}
          change={change}
          placing={placing}
          onBuy={onBuy}
        />
      }
    >
      <Tabs
        label={t('panel.tabs')}
        kind="strip"
        value={room.panel.tab}
        onChange={(tab) => change((now) => state.tabChosen(now, tab))}
        tabs={[
          {
            value: 'regular',
            label: t('panel.regular'),
            content: (
              <Loaded query={odds} skeleton={<PanelSkeleton />}>
                {(offers) => (
                  <OfferGrids odds={offers} chosen={room.panel.ruleIds} onToggle={toggle} />
                )}
              </Loaded>
            ),
          },
        ]}
      />
    </Sheet>
  )
}
