import { Button } from '@sum28/ui/button.tsx'
import { Card } from '@sum28/ui/card.tsx'
import { DrawTiles } from '@sum28/ui/draw-tiles.tsx'
import { Icon } from '@sum28/ui/icon.tsx'
import { OutcomeTags } from '@sum28/ui/outcome-tag.tsx'
import { roundNumber } from '@sum28/ui/round-number.ts'
import { Skeleton } from '@sum28/ui/skeleton.tsx'
import { useQuery } from '@tanstack/react-query'
import { memo, useState } from 'react'
import type { Draw } from '#src/data/draw.ts'
import { earlierDrawsQuery } from '#src/data/draws.ts'
import { failureText } from '#src/data/failure.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/room/draw-card.module.css'

type DrawCardProps = { gameId: number; draw: Draw | null }

/** The last draw, which can be unfolded to the four before it. */
export const DrawCard = memo(function DrawCard({ gameId, draw }: DrawCardProps) {
  const t = useText()
  const [unfolded, setUnfolded] = useState(false)
  return (
    <Card className={styles.card}>
      <div className={styles.head}>
        <p className="num">
          {draw ? t('room.lastDrawOf', { round: roundNumber(draw.issue) }) : t('room.lastDraw')}
        </p>
        {draw && <DrawLabels draw={draw} />}
      </div>
      <div className={styles.last}>
        <DrawTiles digits={draw?.digits ?? null} reveal={draw?.issue} />
        {draw && (
          <button
            type="button"
            className={styles.unfold}
            aria-expanded={unfolded}
            aria-label={t('room.earlierDraws')}
            onClick={() => setUnfolded(!unfolded)}
          >
            <Icon name="down" size={20} />
          </button>
        )}
      </div>
      {unfolded && draw && <EarlierDraws gameId={gameId} lastIssue={draw.issue} />}
    </Card>
  )
})

function EarlierDraws({ gameId, lastIssue }: { gameId: number; lastIssue: string }) {
  const t = useText()
  const draws = useQuery({
    ...earlierDrawsQuery({ gameId, lastIssue }),
    // A new draw replaces the list without a gap.
    placeholderData: (before) => before,
  })
  if (draws.isError) {
    return (
      <div className={styles.note}>
        <p>{failureText(draws.error)}</p>
        <Button kind="plain" size="s" onClick={() => draws.refetch()}>
          {t('action.retry')}
        </Button>
      </div>
    )
  }
  if (!draws.data) return <Skeleton height={160} />
  if (draws.data.length === 0) return <p className={styles.note}>{t('room.noEarlierDraws')}</p>
  return (
    <ul className={styles.earlier} aria-label={t('room.earlierDraws')}>
      {draws.data.map((draw) => (
        <li key={draw.issue}>
          <span className={`${styles.number} num`}>{roundNumber(draw.issue)}</span>
          <DrawTiles digits={draw.digits} size="s" />
          <DrawLabels draw={draw} />
        </li>
      ))}
    </ul>
  )
}

function DrawLabels({ draw }: { draw: Draw }) {
  const t = useText()
  if (draw.voided) return <span className={styles.voided}>{t('room.voided')}</span>
  return <OutcomeTags outcomes={draw.labels} />
}
