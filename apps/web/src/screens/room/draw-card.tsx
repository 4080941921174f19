import { roundNumber } from '@sum28/domain/issues.ts'
import { useQuery } from '@tanstack/react-query'
import { memo, useState } from 'react'
import { failureText } from '#src/data/failure.ts'
import { latestRoundsQuery } from '#src/data/rounds/latest-rounds.ts'
import { type PastRound, roundsBefore } from '#src/data/rounds/past-round.ts'
import { DrawShield } from '#src/features/draw-shield.tsx'
import { AfterDraw, DrawTiles, VoidedWords } from '#src/features/draw-tiles.tsx'
import { NotWitnessed } from '#src/features/local-beacon-note.tsx'
import { OutcomeTags } from '#src/features/outcome-tag.tsx'
import { useText } from '#src/i18n/text.ts'
import { Button } from '#src/parts/button.tsx'
import { Card } from '#src/parts/card.tsx'
import { IconButton } from '#src/parts/icon.tsx'
import { Skeleton } from '#src/parts/skeleton.tsx'
import styles from '#src/screens/room/room.module.css'

type DrawCardProps = {
  gameId: number
  draw: PastRound | null
  /** Whether it was made while the room was shown. */
  isNew: boolean
  /** The number of a round whose draw is being made; its tiles are blank. */
  drawing: string | null
}

/** The last draw, which can be unfolded to the four before it. */
export const DrawCard = memo(function DrawCard({ gameId, draw, isNew, drawing }: DrawCardProps) {
  const t = useText()
  const reveal = isNew ? draw?.roundId : undefined
  const [unfolded, setUnfolded] = useState(false)
  return (
    <Card className={styles.draw}>
      <div className={styles.drawHead}>
        <p className="num">
          {drawing !== null
            ? t('room.drawingOf', { round: roundNumber(drawing) })
            : draw
              ? t('room.lastDrawOf', { round: roundNumber(draw.roundId) })
              : t('room.lastDraw')}
        </p>
        <AfterDraw reveal={reveal}>
          {draw && drawing === null && <DrawLabels draw={draw} />}
        </AfterDraw>
      </div>
      <div className={styles.drawLine}>
        <DrawTiles
          digits={draw?.digits ?? null}
          voided={draw?.voided ?? false}
          waiting={drawing === null ? undefined : t('round.drawing')}
          reveal={reveal}
        />
        <AfterDraw reveal={reveal}>
          {draw?.digits && drawing === null && (
            <DrawShield kind="beside" gameId={gameId} roundId={draw.roundId} digits={draw.digits} />
          )}
        </AfterDraw>
        {draw && (
          <IconButton
            icon="down"
            label={t('room.earlierDraws')}
            className={styles.unfold}
            expanded={unfolded}
            onPress={() => setUnfolded(!unfolded)}
          />
        )}
      </div>
      {unfolded && draw && <EarlierDraws gameId={gameId} lastRoundId={draw.roundId} />}
    </Card>
  )
})

function EarlierDraws({ gameId, lastRoundId }: { gameId: number; lastRoundId: string }) {
  const t = useText()
  const latest = useQuery(latestRoundsQuery(gameId))
  if (latest.isError) {
    return (
      <div className="caption">
        <p>{failureText(latest.error)}</p>
        <Button kind="plain" size="s" onClick={() => latest.refetch()}>
          {t('action.retry')}
        </Button>
      </div>
    )
  }
  if (!latest.data) return <Skeleton height={160} />
  const rounds = roundsBefore(latest.data, lastRoundId)
  if (rounds.length === 0) return <p className="caption">{t('room.noEarlierDraws')}</p>
  return (
    <ul className={styles.earlier} aria-label={t('room.earlierDraws')}>
      {rounds.map((round) => (
        <li key={round.roundId}>
          <span className="stack middle num caption">
            {roundNumber(round.roundId)}
            {round.digits && (
              <DrawShield
                kind="mark"
                gameId={gameId}
                roundId={round.roundId}
                digits={round.digits}
              />
            )}
          </span>
          <DrawTiles digits={round.digits} voided={round.voided} size="s" />
          <DrawLabels draw={round} />
        </li>
      ))}
    </ul>
  )
}

function DrawLabels({ draw }: { draw: PastRound }) {
  if (draw.voided) return <VoidedWords />
  return (
    <span className="stack to-end">
      <OutcomeTags outcomes={draw.labels} />
      {draw.witnessed === false && <NotWitnessed />}
    </span>
  )
}
