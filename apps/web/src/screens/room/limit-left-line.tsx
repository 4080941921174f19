import { Icon } from '@sum28/ui/icon.tsx'
import { memo } from 'react'
import { BET_LIMITS, useLimitLeft } from '#src/features/use-limit-left.ts'
import styles from '#src/screens/room/buy-panel.module.css'

/** The rest of the tightest limit on bets; empty if none is set. */
export const LimitLeftLine = memo(function LimitLeftLine() {
  const left = useLimitLeft(BET_LIMITS)
  if (left === null) return null
  return (
    <p className={styles.limitLeft}>
      <Icon name="shield" size={16} />
      <span>{left}</span>
    </p>
  )
})
