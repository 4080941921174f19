import { Refusal } from '@sum28/contract/client.ts'
import type { Amount } from '@sum28/domain/money.ts'
import { serverNow } from '@sum28/ui/server-clock.ts'
import { useOnline, useWide } from '@sum28/ui/use-window-value.ts'
import { useQuery } from '@tanstack/react-query'
import { memo, useCallback, useMemo, useRef, useState } from 'react'
import { configQuery } from '#src/data/config.ts'
import { failureText } from '#src/data/failure.ts'
import { useTimeFormat } from '#src/data/game-zone.ts'
import type { Game, Room as RoomOfGame } from '#src/data/games.ts'
import { useSignedIn } from '#src/data/session-watch.ts'
import { useStaleSince } from '#src/data/stale-data.ts'
import { PauseNote } from '#src/features/break-note.tsx'
import { REVEAL_MS } from '#src/features/draw-tiles.tsx'
import { gameCode } from '#src/features/game-logo.tsx'
import { ErrorState, useShownInSteps } from '#src/features/loaded.tsx'
import { PageHeader } from '#src/features/page.tsx'
import { type RoundClock, useRoundClock } from '#src/features/round-clock.tsx'
import { useText } from '#src/i18n/text.ts'
import { hoursText } from '#src/i18n/time-text.ts'
import { WAITING_TITLE } from '#src/navigation/arrival.ts'
import { Button } from '#src/parts/button.tsx'
import { Callout } from '#src/parts/callout.tsx'
import { useReached } from '#src/parts/countdown.ts'
import { Dialog } from '#src/parts/overlays.tsx'
import { prefersReducedMotion } from '#src/parts/reduced-motion.ts'
import { Skeleton, Skeletons } from '#src/parts/skeleton.tsx'
import { useLastValue } from '#src/parts/use-last-value.ts'
import { BuyPanel } from '#src/screens/room/buy-panel.tsx'
import { ClockCard, type ShownMoment } from '#src/screens/room/clock-card.tsx'
import { DrawCard } from '#src/screens/room/draw-card.tsx'
import { Feed, FeedSkeleton, useFeedOf } from '#src/screens/room/feed.tsx'
import { FollowDialog, PlayerSheet } from '#src/screens/room/feed-overlays.tsx'
import { PlayStopDialog, useStopOnBreak } from '#src/screens/room/play-stop.tsx'
import styles from '#src/screens/room/room.module.css'
import { RoomHeader } from '#src/screens/room/room-header.tsx'
import type { Alert, Order } from '#src/screens/room/room-state.ts'
import * as state from '#src/screens/room/room-state.ts'
import type { FeedEntry, RoomRound } from '#src/screens/room/room-update.ts'
import { useOrder, useUnansweredText } from '#src/screens/room/use-order.ts'
import { BalanceContext, type LiveRoom, useRequiredMoney } from '#src/screens/room/use-room.ts'
import { YourBets } from '#src/screens/room/your-bets.tsx'

type RoomProps = {
  game: Game
  room: RoomOfGame
  /** The address's `requiredMoney`, unchecked. */
  requiredMoney: string | undefined
  live: LiveRoom
}

/** The bet room: clock, money, draws, feed, and bet panel. */
export function Room({ game, room: entered, requiredMoney, live }: RoomProps) {
  const t = useText()
  const { room, change, beatNow } = live
  const { place, placing, unanswered, sendAgain, stop, setStop } = useOrder({
    roomId: entered.id,
    change,
  })
  const stopOnBreak = useStopOnBreak(setStop)
  const closeStop = useCallback(() => setStop(null), [setStop])
  useRequiredMoney(requiredMoney, room)
  // Memoised parts, so that a new entry or key rerenders only the part that shows it.
  const drawn = room.lastDraw?.roundId ?? ''
  const clock = useRoundClock(room.round, drawn, room.lastDraw?.voided ?? false)
  const shown = useShownMoment(room)
  const { gameId, roomId, round, panel } = room
  const panelRoom = useMemo(
    () => ({ gameId, roomId, round, panel }),
    [gameId, roomId, round, panel],
  )
  const requestFollow = useCallback(
    (entry: FeedEntry) => {
      if (stopOnBreak()) return
      change((now) => state.followRequested(now, entry, performance.now()))
    },
    [change, stopOnBreak],
  )
  const feed = useFeedOf(live)
  const confirmFollow = useCallback(
    (entry: FeedEntry, stake: Amount) => {
      const hindrance = state.followHindrance({ round }, entry, performance.now())
      if (hindrance) change((now) => state.alerted(now, hindrance))
      else place(state.orderFollowing({ gameId, roomId }, entry, stake))
    },
    [gameId, roomId, round, change, place],
  )
  const [named, setNamed] = useState<FeedEntry | null>(null)
  const closeNamed = useCallback(() => setNamed(null), [])
  const buyButton = useRef<HTMLButtonElement>(null)
  const page = useRef<HTMLDivElement>(null)
  /** On a wide screen the panel is always there, in place of its button. */
  function skipToBuy() {
    const inPanel = page.current?.querySelector<HTMLElement>('aside button[aria-pressed]')
    const target = inPanel ?? buyButton.current
    target?.focus()
  }
  const closeOverlay = useCallback(() => change(state.overlayClosed), [change])
  const isShown = useShownInSteps(room.round !== null)

  function content() {
    if (!isShown || !room.round) {
      const { error } = room.trouble ?? {}
      return error ? <ErrorState error={error} onRetry={beatNow} /> : <RoomContentSkeleton />
    }
    return (
      <>
        <main className={styles.main}>
          <ClockCard
            round={room.round.roundId}
            bought={room.staked === null ? null : room.bought}
            clock={clock}
            lost={room.trouble !== null}
            drawn={drawn}
            shown={shown}
          />
          <DrawCard
            gameId={game.id}
            draw={room.lastDraw}
            isNew={room.drawnAt !== null}
            drawing={clock.drawing}
          />
          <YourBets
            game={game}
            running={room.round.roundId}
            drawn={drawn}
            lastDraw={shown.lastDraw}
            sealed={clock.to === 'draw'}
          />
          <div className={styles.pause} role="status" aria-live="polite">
            <PauseNote pauses={game.pauses} roomId={entered.id} />
          </div>
          <Feed {...feed} running={room.round.roundId} onFollow={requestFollow} onName={setNamed} />
        </main>
        <footer className={styles.footer}>
          <div className={styles.notices} role="status" aria-live="polite">
            {room.trouble && <LostNotice error={room.trouble.error} />}
            {unanswered && (
              <UnansweredNotice order={unanswered} busy={placing !== null} onSend={sendAgain} />
            )}
          </div>
          <input
            className={styles.chat}
            disabled
            aria-label={t('room.chat')}
            placeholder={t('room.chatClosed')}
          />
          <Button
            ref={buyButton}
            className={styles.buy}
            onClick={() => {
              if (!stopOnBreak()) change((now) => state.panelOpened(now, performance.now()))
            }}
          >
            {t('room.buy')}
          </Button>
        </footer>
        <BuyPanel
          room={panelRoom}
          clock={clock}
          phase={phaseOf(room.round, clock)}
          change={change}
          placing={placing}
          onBuy={place}
          waits={unanswered !== null}
          stakeMin={entered.stakeMin}
          gameName={game.name}
          opener={buyButton}
        />
        <PlayStopDialog stop={stop} onClose={closeStop} />
        <FollowDialog
          entry={room.overlay?.kind === 'follow' ? room.overlay.entry : null}
          roomId={roomId}
          stakeMin={entered.stakeMin}
          placing={placing}
          waits={unanswered !== null}
          onClose={closeOverlay}
          onConfirm={confirmFollow}
        />
        <PlayerSheet {...{ gameId, roomId }} entry={named} onClose={closeNamed} />
        <RoomAlert
          alert={room.overlay?.kind === 'alert' ? room.overlay.alert : null}
          onClose={closeOverlay}
        />
      </>
    )
  }

  // The header stays the same element, so that a menu that was opened before the first update stays open.
  return (
    <div
      ref={page}
      className={styles.room}
      data-game={gameCode(game.id)}
      aria-busy={!room.round && !room.trouble?.error}
    >
      {room.round && (
        <button type="button" className="skip" onClick={skipToBuy}>
          {t('room.skipToBuy')}
        </button>
      )}
      <RoomHeader game={game} room={entered} />
      <BalanceContext value={room.balance}>{content()}</BalanceContext>
    </div>
  )
}

/** Whether bets are accepted, as the clock shows it: `state.phaseAt` without the time. */
function phaseOf({ status }: RoomRound, { to }: RoundClock): state.Phase {
  if (status !== 'runs') return status
  return to === 'seal' ? 'open' : 'sealed'
}

const ALERT_WORDS = {
  sealed: ['alert.sealed', 'alert.sealedText'],
  closed: ['alert.closed', 'alert.closedText'],
  stopped: ['alert.stopped', 'alert.stoppedText'],
  'all-stopped': ['alert.allStopped', 'alert.allStoppedText'],
  'wrong-round': ['alert.wrongRound', 'alert.wrongRoundText'],
} as const

const RoomAlert = memo(function RoomAlert({
  alert,
  onClose,
}: {
  alert: Alert | null
  onClose: () => void
}) {
  const t = useText()
  const { data: config } = useQuery(configQuery)
  const when = useTimeFormat()
  const last = useLastValue(alert)
  const [title, words] = ALERT_WORDS[last ?? 'closed']
  const hours = last && hoursText(config?.openingHours ?? '10:00-02:00', serverNow(), when)
  return (
    <Dialog open={alert !== null} onClose={onClose} tone="warn" title={t(title)}>
      {t(words, { hours: hours ?? '' })}
    </Dialog>
  )
})

/** The line of a room without news; a refusal says why. While the app's own line says so, there is no second one. */
export function LostNotice({ error }: { error: unknown }) {
  const t = useText()
  const online = useOnline()
  const staleSince = useStaleSince(online)
  if (!online || staleSince !== null) return null
  return (
    <Callout icon="offline" tone="warn">
      {error instanceof Refusal ? failureText(error) : t('room.lost')}
    </Callout>
  )
}

type UnansweredProps = { order: Order; busy: boolean; onSend: () => void }

/** An order of which it is not known whether it was accepted; it stays until that is known. */
function UnansweredNotice({ order, busy, onSend }: UnansweredProps) {
  const t = useText()
  const unansweredText = useUnansweredText()
  return (
    <Callout icon="clock" tone="warn">
      <div className="row-3">
        <p className="grow">{unansweredText(order)}</p>
        <Button size="s" busy={busy} onClick={onSend}>
          {t('order.sendAgain')}
        </Button>
      </div>
    </Callout>
  )
}

/** Whether the last draw is revealed; until then the draw before it is the one of one's bets. */
function useShownMoment({ drawnAt, lastDraw }: state.RoomState): ShownMoment {
  const revealsUntil = drawnAt === null || prefersReducedMotion() ? null : drawnAt + REVEAL_MS
  const isRevealed = useReached(revealsUntil) || revealsUntil === null
  const [shown, setShown] = useState({ lastDraw, isRevealed })
  const isSame = shown.lastDraw === lastDraw
  if (isRevealed !== shown.isRevealed || (isRevealed && !isSame)) {
    setShown(isRevealed ? { lastDraw, isRevealed } : { ...shown, isRevealed })
  }
  return shown
}

/** The placeholder of a room that is not known yet. */
export function RoomSkeleton() {
  return (
    <div className={styles.room} aria-busy="true">
      <PageHeader title={WAITING_TITLE} back />
      <RoomContentSkeleton />
    </div>
  )
}

/** The placeholder of what is below a room's header, before its first update. */
export function RoomContentSkeleton() {
  const wide = useWide()
  // A stranger only watches.
  const plays = useSignedIn()
  return (
    <>
      <main className={styles.main}>
        <Skeleton height={140} />
        <Skeleton height={98} />
        {plays && <div className={styles.strip} aria-hidden="true" />}
        <FeedSkeleton />
      </main>
      <div className={styles.footer}>
        <Skeleton height={52} />
      </div>
      {plays && wide && (
        <aside className={styles.beside} aria-hidden="true">
          <Skeleton height={48} />
          <div className="stack-2">
            <Skeletons heights={[46, 46, 172]} />
          </div>
          <Skeleton height={140} />
        </aside>
      )}
    </>
  )
}
