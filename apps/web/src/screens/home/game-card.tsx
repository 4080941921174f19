import { sumOfDigits } from '@sum28/domain/digits.ts'
import { labelsOfSum } from '@sum28/domain/outcomes.ts'
import { useDeadline, useSecondsLeft } from '@sum28/ui/countdown.ts'
import { CountdownRing } from '@sum28/ui/countdown-ring.tsx'
import { DrawTiles } from '@sum28/ui/draw-tiles.tsx'
import { gameCode } from '@sum28/ui/game-code.ts'
import { GameMark } from '@sum28/ui/game-mark.tsx'
import { OutcomeTags } from '@sum28/ui/outcome-tag.tsx'
import { roundNumber } from '@sum28/ui/round-number.ts'
import { Link } from '#src/app/navigation.tsx'
import { href } from '#src/app/routes.ts'
import type { Game } from '#src/data/games.ts'
import { useStatusWord } from '#src/features/status-word.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/home/game-card.module.css'

type GameCardProps = {
  game: Game
  /** From the opening of a round to its seal; null while it is not known. */
  openSeconds: number | null
}

/** A game's clock and last draw, as a link to its rooms. */
export function GameCard({ game, openSeconds }: GameCardProps) {
  const t = useText()
  const statusWord = useStatusWord()
  const reportedOpen = game.status === 'runs' && !game.sealed
  const seconds = useSecondsLeft(useDeadline(reportedOpen ? game.clock : null))
  // The round counts as sealed when its time is over, before the server has said so.
  const open = reportedOpen && seconds > 0
  const digits = game.lastDigits
  const labels = digits ? labelsOfSum(sumOfDigits(digits)).base : []
  return (
    <Link
      className={styles.card}
      data-game={gameCode(game.id)}
      to={href('hall', { game: String(game.id) })}
    >
      <span className={styles.top}>
        <GameMark game={gameCode(game.id)} />
        <b className={styles.name}>{game.name}</b>
        {open && (
          <CountdownRing
            size="s"
            seconds={seconds}
            total={openSeconds ?? Math.max(1, game.clock.seconds)}
            over={t('round.sealed')}
          />
        )}
      </span>
      <span className={styles.round}>
        <span>
          {game.lastIssue
            ? t('game.lastRound', { issue: roundNumber(game.lastIssue) })
            : t('draw.none')}
        </span>
        {!open && <b className={styles.state}>{statusWord(game.status)}</b>}
      </span>
      <DrawTiles digits={digits} size="s" reveal={game.lastIssue || undefined} />
      <span className={styles.tags}>
        <OutcomeTags outcomes={labels} />
      </span>
    </Link>
  )
}
