import type { Amount } from '@sum28/domain/money.ts'
import { serverNow } from '@sum28/ui/server-clock.ts'
import { useQuery } from '@tanstack/react-query'
import {
  memo,
  use,
  useCallback,
  useEffect,
  useEffectEvent,
  useState,
  useSyncExternalStore,
} from 'react'
import { showGenericFailure } from '#src/data/failure.ts'
import { profileQuery } from '#src/data/profile.ts'
import { protectionQuery } from '#src/data/protection.ts'
import type { PastRound } from '#src/data/rounds/past-round.ts'
import { type RoundClock, RoundRing } from '#src/features/round-clock.tsx'
import { useLastKnownBalance } from '#src/features/use-balance.ts'
import { useCountingAmount } from '#src/features/use-counting-amount.ts'
import { unitsText } from '#src/i18n/number-text.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import { AmountText } from '#src/parts/amount.tsx'
import { Card } from '#src/parts/card.tsx'
import { LabelValue, LabelValues } from '#src/parts/label-values.tsx'
import { ownBetsQuery, unshownLoss } from '#src/screens/room/own-bets.ts'
import styles from '#src/screens/room/room.module.css'
import { BalanceContext } from '#src/screens/room/use-room.ts'

type ClockCardProps = {
  /** The running round's number; empty where none runs. */
  round: string
  /** Null while it is not known. */
  bought: Amount | null
  clock: RoundClock
  /** Whether the room gets no news; then nothing else reports it. */
  lost: boolean
  /** The last draw that was received. */
  drawn: string
  shown: ShownMoment
}

/** What is shown of draws; while a draw is being revealed, what was shown before it. */
export type ShownMoment = {
  readonly lastDraw: PastRound | null
  readonly isRevealed: boolean
}

/** The round's clock, the balance, the stakes in this round, and the session's net position. */
export const ClockCard = memo(function ClockCard({
  round,
  bought,
  clock,
  lost,
  drawn,
  shown,
}: ClockCardProps) {
  const t = useText()
  const { error, isError } = useQuery(profileQuery)
  // Shown once, however often polls fail in a row.
  const reportFailure = useEffectEvent(() => showGenericFailure(error))
  useEffect(() => {
    if (isError && !lost) reportFailure()
  }, [isError, lost])

  return (
    <Card className={styles.clock}>
      <RoundRing clock={clock} />
      <div className={styles.clockFacts}>
        <LabelValues>
          <LabelValue label={t('room.round')}>{round || '–'}</LabelValue>
          <LabelValue label={t('home.balance')}>
            <Balance held={!shown.isRevealed} drawing={clock.drawing} />
          </LabelValue>
          <LabelValue label={t('room.bought')}>
            {bought === null ? '–' : <AmountText value={bought} />}
          </LabelValue>
          <SessionFact drawn={drawn} shown={shown} />
        </LabelValues>
      </div>
    </Card>
  )
})

/** How long a draw may take, in milliseconds, before it is late. */
const DRAW_MS = 10_000

type BalanceProps = {
  held: boolean
  /** The round whose draw is being made. */
  drawing: string | null
}

/**
 * The balance; until it is known, what it last was. While a draw is being revealed it stays, and while one is being
 * made it does not rise, unless it is late: money that comes before the digits would tell them.
 */
function Balance({ held, drawing }: BalanceProps) {
  const balance = use(BalanceContext)
  const lastKnown = useLastKnownBalance()
  const [shown, setShown] = useState(balance)
  const [late, setLate] = useState<string | null>(null)
  useEffect(() => {
    if (drawing === null) return
    const timer = setTimeout(() => setLate(drawing), DRAW_MS)
    return () => clearTimeout(timer)
  }, [drawing])
  const tells = drawing !== null && drawing !== late
  const rises = shown !== null && balance !== null && balance > shown
  if (!held && !(tells && rises) && shown !== balance) setShown(balance)
  return shown === null ? <AmountText value={lastKnown} /> : <CountingAmount value={shown} />
}

function CountingAmount({ value }: { value: Amount }) {
  return <AmountText value={useCountingAmount(value)} />
}

const TICK_MS = 5_000

type SessionFactProps = Pick<ClockCardProps, 'drawn' | 'shown'>

/** The duration and the result of the session; stakes that wait for their draw are no loss. */
const SessionFact = memo(function SessionFact({ drawn, shown }: SessionFactProps) {
  const t = useText()
  const { tag } = useLocale()
  const { data: protection, isFetching } = useQuery(protectionQuery)
  const session = protection?.session
  const { data: bets, isFetching: isFetchingBets } = useQuery(ownBetsQuery(drawn))
  const minutes = useMinutesSince(session?.beganAt ?? null)
  const net = session && bets ? session.net + unshownLoss(bets, shown) : null
  const [held, setHeld] = useState(net)
  // The two are of one moment only when both have come.
  const isCertain = shown.isRevealed && !isFetching && !isFetchingBets
  if (isCertain && net !== null && net !== held) setHeld(net)
  const known = protection && !session ? 0n : held
  return (
    <LabelValue
      label={
        <>
          <span className="unseen">{t('room.session')} </span>
          <span aria-hidden="true" data-timed={minutes !== null} className={styles.sessionTime}>
            {t('room.session')}
          </span>
          {minutes !== null && <span className="num">{sessionTimeText(minutes, tag)}</span>}
        </>
      }
    >
      {known === null ? '–' : <AmountText value={known} signed />}
    </LabelValue>
  )
})

/** Whole minutes since an instant, in milliseconds since 1970; rerenders as they pass. */
function useMinutesSince(beganAt: number | null): number | null {
  const watch = useCallback(
    (listener: () => void) => {
      const timer = beganAt === null ? undefined : setInterval(listener, TICK_MS)
      return () => clearInterval(timer)
    },
    [beganAt],
  )
  return useSyncExternalStore(watch, () => (beganAt === null ? null : minutesSince(beganAt)))
}

function minutesSince(beganAt: number): number {
  return Math.max(0, Math.floor((serverNow() - beganAt) / 60_000))
}

/** `65` → `1h 5m`, as short as the language writes it. */
export function sessionTimeText(minutes: number, tag: string): string {
  const hours = Math.floor(minutes / 60)
  const rest = { unit: 'minute', count: minutes % 60 }
  const parts = hours === 0 ? [rest] : [{ unit: 'hour', count: hours }, rest]
  return unitsText(parts, { tag, display: 'narrow' })
}
