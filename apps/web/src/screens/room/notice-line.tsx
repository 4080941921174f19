import type { Amount } from '@sum28/domain/money.ts'
import { amountText } from '@sum28/ui/amount-format.ts'
import { Icon } from '@sum28/ui/icon.tsx'
import { useLocale } from '@sum28/ui/text.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { configQuery } from '#src/data/config.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/room/notice-line.module.css'

const ROTATE_MS = 3_000

type NoticeLineProps = { game: string; title: string; stakeMin: Amount }

/**
 * A text that changes every three seconds; a tap pauses it, and with reduced motion it begins
 * paused.
 */
export function NoticeLine({ game, title, stakeMin }: NoticeLineProps) {
  const t = useText()
  const { tag } = useLocale()
  const { data: config } = useQuery(configQuery)
  const [at, setAt] = useState(0)
  const [paused, setPaused] = useState(() => matchMedia('(prefers-reduced-motion: reduce)').matches)
  const place = { game, room: title }
  const lines = [
    t('room.noticePlace', place),
    t('room.noticeSeal', { ...place, seconds: config?.seal_seconds ?? 30 }),
    t('room.noticeStakeMin', { ...place, amount: amountText(stakeMin, { tag }) }),
  ]

  useEffect(() => {
    if (paused) return
    const timer = setInterval(() => setAt((before) => before + 1), ROTATE_MS)
    return () => clearInterval(timer)
  }, [paused])

  const line = lines[at % lines.length]
  return (
    <button
      type="button"
      className={styles.notice}
      aria-pressed={paused}
      onClick={() => setPaused(!paused)}
    >
      <span className="unseen">{t('room.noticePause')}: </span>
      {paused && <Icon name="pause" size={12} />}
      <span key={line} className={styles.line}>
        {line}
      </span>
    </button>
  )
}
