import { AmountText } from '@sum28/ui/amount.tsx'
import { useLocale } from '@sum28/ui/text.ts'
import { useQuery } from '@tanstack/react-query'
import { memo, useEffect, useState } from 'react'
import { protectionQuery } from '#src/data/protection.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/room/clock-card.module.css'
import { sessionTimeText } from '#src/screens/room/session-time-text.ts'

const TICK_MS = 5_000

/** The duration and the result of the session; it rerenders without the rest of the room. */
export const SessionFact = memo(function SessionFact() {
  const t = useText()
  const { tag } = useLocale()
  const { data: protection } = useQuery(protectionQuery)
  const session = protection?.session
  const minutes = useMinutesSince(session?.beganAt ?? null)
  return (
    <div className={styles.fact}>
      <dt>
        <span className="unseen">{t('room.session')} </span>
        <span aria-hidden="true" data-timed={minutes !== null} className={styles.session}>
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
  return Math.max(0, Math.floor((Date.now() - beganAt) / 60_000))
}
