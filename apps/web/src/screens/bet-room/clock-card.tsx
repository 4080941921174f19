import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { profileQuery } from '#src/data/profile.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/bet-room/clock-card.module.css'
import { CLOCK_WORDS, type RoomClock } from '#src/screens/bet-room/clock-words.ts'
import type { RoomState } from '#src/screens/bet-room/room-state.ts'
import { useHeartbeatMs } from '#src/screens/bet-room/use-room.ts'
import { AmountText } from '#src/ui/amount.tsx'
import { Card } from '#src/ui/card.tsx'
import { CountdownRing } from '#src/ui/countdown-ring.tsx'
import { showFailure } from '#src/ui/show-failure.ts'
import { useCountingAmount } from '#src/ui/use-counting-amount.ts'

type ClockCardProps = { room: RoomState; clock: RoomClock }

/** Time and money: the round's clock, the balance, what was bought, and the session's net. */
export function ClockCard({ room, clock }: ClockCardProps) {
  const t = useText()
  const refetchInterval = useHeartbeatMs()
  const { data: profile, error, isError } = useQuery({ ...profileQuery, refetchInterval })
  // Told once, however many questions in a row then fail.
  const failure = useRef(error)
  failure.current = error
  useEffect(() => {
    if (isError) showFailure(failure.current)
  }, [isError])

  const net = profile && amountFromWire(profile.net_position)
  return (
    <Card className={styles.clock}>
      <CountdownRing
        seconds={clock.seconds}
        total={clock.total}
        caption={t('play.toSeal')}
        over={t(CLOCK_WORDS[clock.phase])}
      />
      <dl className={styles.facts}>
        <Fact label={t('room.round')}>
          <span className="num">{room.round?.issue || '–'}</span>
        </Fact>
        <Fact label={t('room.balance')}>
          <CountingAmount value={room.balance ?? 0n} />
        </Fact>
        <Fact label={t('room.bought')}>
          <AmountText value={room.bought} />
        </Fact>
        <Fact label={t('room.session')}>
          {net === undefined ? '–' : <AmountText value={net} signed />}
        </Fact>
      </dl>
    </Card>
  )
}

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
