import { AmountText } from '@sum28/ui/amount.tsx'
import { OutcomeTags } from '@sum28/ui/outcome-tag.tsx'
import { roundNumber } from '@sum28/ui/round-number.ts'
import { memo } from 'react'
import type { FeedEntry } from '#src/data/feed.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/room/feed.module.css'
import { RobotBadge } from '#src/screens/room/robot-badge.tsx'

/** Further outcomes are only counted. */
const TAGS_MAX = 4

/** Larger amounts get their own line. */
const WIDE_FROM = 1_000_000_000_000n

type FeedRowProps = {
  entry: FeedEntry
  mine: boolean
  /** Whether it came after the room was entered: it slides in. */
  fresh: boolean
  onFollow: (entry: FeedEntry) => void
}

export const FeedRow = memo(function FeedRow(props: FeedRowProps) {
  const { entry, mine, fresh, onFollow } = props
  const t = useText()
  return (
    <tr
      className={styles.row}
      data-mine={mine}
      data-fresh={fresh}
      data-wide={entry.total >= WIDE_FROM}
    >
      <td className={styles.who}>
        <span className={styles.name}>{mine ? t('feed.you') : entry.nickname}</span>{' '}
        <span className={styles.under}>
          <span className="num">{roundNumber(entry.issue)}</span> {entry.robot && <RobotBadge />}
        </span>
      </td>
      <td className={styles.play}>
        <OutcomeTags outcomes={entry.outcomes} max={TAGS_MAX} />
      </td>
      <td className={styles.total}>
        <AmountText value={entry.total} unit={false} />
      </td>
      <td className={styles.action}>
        {!mine && (
          <button
            type="button"
            className={styles.follow}
            aria-label={t('feed.followWhom', { player: entry.nickname })}
            onClick={() => onFollow(entry)}
          >
            {t('feed.follow')}
          </button>
        )}
      </td>
    </tr>
  )
})
