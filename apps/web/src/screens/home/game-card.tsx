import { labelsOfSum } from '@sum28/domain/outcomes.ts'
import { Link } from 'react-router'
import { href } from '#src/app/routes.ts'
import type { Game } from '#src/data/games.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/home/game-card.module.css'
import { useDeadline, useSecondsLeft } from '#src/ui/countdown.ts'
import { CountdownRing } from '#src/ui/countdown-ring.tsx'
import { digitsOfCode } from '#src/ui/draw-digits.ts'
import { DrawTiles } from '#src/ui/draw-tiles.tsx'
import { gameCode } from '#src/ui/game-code.ts'
import { GameMark } from '#src/ui/game-mark.tsx'
import { shortIssue } from '#src/ui/issue-text.ts'
import { OutcomeTags } from '#src/ui/outcome-tag.tsx'

type GameCardProps = {
  game: Game
  /** From the opening of a round to its seal; null while it is not known. */
  openSeconds: number | null
}

/** A game: its clock, and its last draw. Leads to its rooms. */
export function GameCard({ game, openSeconds }: GameCardProps) {
  const t = useText()
  const open = game.status === 'runs' && !game.sealed
  const seconds = useSecondsLeft(useDeadline(open ? game.clock : null))
  const digits = digitsOfCode(game.lastCode)
  const sum = digits ? digits[0] + digits[1] + digits[2] : null
  const labels = sum === null ? [] : labelsOfSum(sum).base
  const stopped =
    game.status === 'stopped'
      ? t('play.stopped')
      : game.status === 'all-stopped'
        ? t('play.allStopped')
        : null
  return (
    <Link
      className={styles.card}
      data-game={gameCode(game.id)}
      to={href('lottery', { game: String(game.id) })}
    >
      <span className={styles.top}>
        <GameMark game={gameCode(game.id)} />
        <b className={styles.name}>{game.name}</b>
        <CountdownRing
          size="s"
          seconds={open ? seconds : 0}
          total={openSeconds ?? Math.max(1, game.clock.seconds)}
          over={stopped ? '–' : game.status === 'runs' ? t('play.sealed') : t('play.closed')}
        />
      </span>
      <span className={styles.round}>
        {stopped ??
          (game.lastIssue
            ? t('game.lastRound', { issue: shortIssue(game.lastIssue) })
            : t('draw.none'))}
      </span>
      <DrawTiles digits={digits} size="s" reveal={game.lastIssue || undefined} />
      <span className={styles.tags}>
        <OutcomeTags outcomes={labels} />
      </span>
    </Link>
  )
}
