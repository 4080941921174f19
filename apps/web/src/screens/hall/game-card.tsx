import { sumOfDigits } from '@sum28/domain/digits.ts'
import { roundNumber } from '@sum28/domain/issues.ts'
import { labelsOfSum } from '@sum28/domain/outcomes.ts'
import { Card } from '@sum28/ui/card.tsx'
import { useDeadline, useSecondsLeft } from '@sum28/ui/countdown.ts'
import { CountdownRing } from '@sum28/ui/countdown-ring.tsx'
import { DrawTiles } from '@sum28/ui/draw-tiles.tsx'
import { gameCode } from '@sum28/ui/game-code.ts'
import { GameLogo } from '@sum28/ui/game-logo.tsx'
import { OutcomeTags } from '@sum28/ui/outcome-tag.tsx'
import { useQuery } from '@tanstack/react-query'
import { configQuery } from '#src/data/config.ts'
import type { Game } from '#src/data/games.ts'
import { useStatusWord } from '#src/features/status-word.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/hall/hall.module.css'

/** A game's clock and its last draw. */
export function GameCard({ game }: { game: Game }) {
  const t = useText()
  const statusWord = useStatusWord()
  const { data: config } = useQuery(configQuery)
  const open = game.status === 'runs' && !game.sealed
  const seconds = useSecondsLeft(useDeadline(open ? game.clock : null))
  const digits = game.lastDigits
  const labels = digits ? labelsOfSum(sumOfDigits(digits)).base : []

  const hours = config?.features.opening_hours
  return (
    <Card className="grid-3">
      <div className="row-3 shrink wrap">
        <GameLogo game={gameCode(game.id)} size={36} />
        <div className={styles.gameWords}>
          <h2>{game.name}</h2>
          <p className="num">
            {game.issue
              ? t('hall.round', { issue: game.issue })
              : hours && t('hall.openingHours', { hours: hours.replace('-', '–') })}
          </p>
        </div>
        <CountdownRing
          size="s"
          seconds={open ? seconds : 0}
          total={(config?.round_seconds ?? 210) - (config?.seal_seconds ?? 30)}
          over={statusWord(game.status)}
        />
      </div>
      <div className={styles.draw}>
        <p className={`${styles.caption} num`}>
          {game.lastIssue
            ? t('room.lastDrawOf', { round: roundNumber(game.lastIssue) })
            : t('room.lastDraw')}
        </p>
        <OutcomeTags outcomes={labels} />
        <DrawTiles digits={digits} reveal={game.lastIssue} />
      </div>
    </Card>
  )
}
