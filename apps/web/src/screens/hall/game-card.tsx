import { sumOfDigits } from '@sum28/domain/digits.ts'
import { roundNumber } from '@sum28/domain/issues.ts'
import { labelsOfSum } from '@sum28/domain/outcomes.ts'
import { useQuery } from '@tanstack/react-query'
import { configQuery } from '#src/data/config.ts'
import type { Game } from '#src/data/games.ts'
import { profileQuery } from '#src/data/profile.ts'
import { DrawShield } from '#src/features/draw-shield.tsx'
import { AfterDraw, DrawTiles } from '#src/features/draw-tiles.tsx'
import { GameLogo, gameCode } from '#src/features/game-logo.tsx'
import { OutcomeTags } from '#src/features/outcome-tag.tsx'
import { RoundRing, useRoundClock } from '#src/features/round-clock.tsx'
import { useText } from '#src/i18n/text.ts'
import { AmountText } from '#src/parts/amount.tsx'
import { Card } from '#src/parts/card.tsx'
import { classNames } from '#src/parts/class-names.ts'
import styles from '#src/screens/hall/hall.module.css'

/** A game's clock and its last draw. */
export function GameCard({ game }: { game: Game }) {
  const t = useText()
  const { data: config } = useQuery(configQuery)
  const clock = useRoundClock(game, game.lastRoundId)
  const shown = clock.drawing ?? game.lastRoundId
  const digits = game.lastDigits
  const labels = digits ? labelsOfSum(sumOfDigits(digits)).base : []

  const hours = config?.openingHours
  return (
    <Card className="grid-3">
      <div className="row-3 shrink wrap">
        <GameLogo game={gameCode(game.id)} size={36} />
        <div className={styles.gameWords}>
          <h2>{game.name}</h2>
          <p className="num caption">
            {game.roundId
              ? t('hall.round', { round: game.roundId })
              : hours && t('hall.openingHours', { hours: hours.replace('-', '–') })}
          </p>
        </div>
        <RoundRing size="m" clock={clock} />
      </div>
      <div className={styles.draw}>
        <p className="num caption">
          {shown
            ? t(clock.drawing ? 'room.drawingOf' : 'room.lastDrawOf', { round: roundNumber(shown) })
            : t('room.lastDraw')}
        </p>
        <AfterDraw reveal={game.lastRoundId}>
          <OutcomeTags outcomes={clock.drawing ? [] : labels} />
        </AfterDraw>
        <span className={classNames('row-3 shrink', styles.drawn)}>
          <DrawTiles
            digits={digits}
            waiting={clock.drawing ? t('round.drawing') : undefined}
            reveal={game.lastRoundId}
          />
          <AfterDraw reveal={game.lastRoundId}>
            {digits && !clock.drawing && (
              <DrawShield gameId={game.id} roundId={game.lastRoundId} digits={digits} />
            )}
          </AfterDraw>
        </span>
      </div>
    </Card>
  )
}

/** The balance; nothing while it is not known. */
export function BalanceChip() {
  const t = useText()
  const { data: profile } = useQuery(profileQuery)
  if (!profile) return null
  return (
    <p className={styles.balance}>
      <span>{t('hall.balance')}</span>
      <AmountText value={profile.balance} className={styles.money} />
    </p>
  )
}
