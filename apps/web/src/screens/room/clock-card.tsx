import type { Amount } from '@sum28/domain/money.ts'
import { AmountText } from '@sum28/ui/amount.tsx'
import { Card } from '@sum28/ui/card.tsx'
import { CountdownRing } from '@sum28/ui/countdown-ring.tsx'
import { useCountingAmount } from '@sum28/ui/use-counting-amount.ts'
import { useQuery } from '@tanstack/react-query'
import { memo, type ReactNode, useEffect, useEffectEvent } from 'react'
import { profileQuery } from '#src/data/profile.ts'
import { showFailure } from '#src/features/show-failure.ts'
import { useInvalidateMoney } from '#src/features/use-invalidate-money.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/room/clock-card.module.css'
import { CLOCK_WORDS, type RoomClock } from '#src/screens/room/clock-words.ts'
import { SessionFact } from '#src/screens/room/session-fact.tsx'
import { useHeartbeatMs } from '#src/screens/room/use-room.ts'

/** While the stream delivers, the profile is fetched when money moves, and at this interval. */
const SELDOM_MS = 15_000

type ClockCardProps = {
  /** The running round's number; empty where none runs. */
  round: string
  /** Null while it is not known. */
  balance: Amount | null
  bought: Amount
  clock: RoomClock
  /** Whether the stream delivers. */
  streaming: boolean
}

/** The round's clock, the balance, the stakes in this round, and the session's net position. */
export const ClockCard = memo(function ClockCard({
  round,
  balance,
  bought,
  clock,
  streaming,
}: ClockCardProps) {
  const t = useText()
  const everyMs = useHeartbeatMs()
  const { error, isError } = useQuery({
    ...profileQuery,
    refetchInterval: streaming ? SELDOM_MS : everyMs,
  })
  useInvalidateMoney(balance)
  // Shown once, however often polls fail in a row.
  const reportFailure = useEffectEvent(() => showFailure(error))
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
      <dl className={styles.facts}>
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
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
