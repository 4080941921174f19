import type { Amount } from '@sum28/domain/money.ts'
import { AmountText } from '@sum28/ui/amount.tsx'
import { Card } from '@sum28/ui/card.tsx'
import { CountdownRing } from '@sum28/ui/countdown-ring.tsx'
import { serverNow } from '@sum28/ui/server-clock.ts'
import { useLocale } from '@sum28/ui/text.ts'
import { useCountingAmount } from '@sum28/ui/use-counting-amount.ts'
import { useQuery } from '@tanstack/react-query'
import { memo, type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { profileQuery } from '#src/data/profile.ts'
import { protectionQuery } from '#src/data/protection.ts'
import { showGenericFailure } from '#src/features/show-failure.ts'
import { useText } from '#src/i18n/text.ts'
import { CLOCK_WORDS, type RoomClock } from '#src/screens/room/clock-words.ts'
import styles from '#src/screens/room/room.module.css'
import { sessionTimeText } from '#src/screens/room/session-time-text.ts'

type ClockCardProps = {
  /** The running round's number; empty where none runs. */
  round: string
  /** Null while it is not known. */
  balance: Amount | null
  bought: Amount
  clock: RoomClock
}

/** The round's clock, the balance, the stakes in this round, and the session's net position. */
export const ClockCard = memo(function ClockCard({
  round,
  balance,
  bought,
  clock,
}: ClockCardProps) {
  const t = useText()
  const { error, isError } = useQuery(profileQuery)
  // Shown once, however often polls fail in a row.
  const reportFailure = useEffectEvent(() => showGenericFailure(error))
  useEffect(() => {
    if (isError) reportFailure()
  }, [isError])

  return (
    <Card className={styles.clock}>
      <CountdownRing
        seconds={clock.seconds}
        total={clock.total}
        caption={t('room.toSeal')}
        over={t(CLOCK_WORDS[clock.phase])}
      />
      <dl className={styles.clockFacts}>
        <Fact label={t('room.round')}>
          <span className="num">{round || '–'}</span>
        </Fact>
        <Fact label={t('room.balance')}>
          {balance === null ? '–' : <CountingAmount value={balance} />}
        </Fact>
        <Fact label={t('room.bought')}>
          <AmountText value={bought} />
        </Fact>
        <SessionFact />
      </dl>
    </Card>
  )
})

function CountingAmount({ value }: { value: Amount }) {
  return <AmountText value={useCountingAmount(value)} />
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.clockFact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

const TICK_MS = 5_000

/** The duration and the result of the session; it rerenders without the rest of the room. */
const SessionFact = memo(function SessionFact() {
  const t = useText()
  const { tag } = useLocale()
  const { data: protection } = useQuery(protectionQuery)
  const session = protection?.session
  const minutes = useMinutesSince(session?.beganAt ?? null)
  return (
    <div className={styles.clockFact}>
      <dt>
        <span className="unseen">{t('room.session')} </span>
        <span aria-hidden="true" data-timed={minutes !== null} className={styles.sessionTime}>
          {t('room.session')}
        </span>
        {minutes !== null && <span className="num">{sessionTimeText(minutes, tag)}</span>}
      </dt>
      <dd>{protection ? <AmountText value={session?.net ?? 0n} signed /> : '–'}</dd>
    </div>
  )
})

/** Whole minutes since an instant, in milliseconds since 1970; rerenders as they pass. */
function useMinutesSince(beganAt: number | null): number | null {
  const [, setTick] = useState(0)
  useEffect(() => {
    if (beganAt === null) return
    const timer = setInterval(() => setTick(minutesSince(beganAt)), TICK_MS)
    return () => clearInterval(timer)
  }, [beganAt])
  return beganAt === null ? null : minutesSince(beganAt)
}

function minutesSince(beganAt: number): number {
  return Math.max(0, Math.floor((serverNow() - beganAt) / 60_000))
}
