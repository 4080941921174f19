import { ruleById } from '@sum28/domain/outcomes.ts'
import { DrawTiles } from '@sum28/ui/draw-tiles.tsx'
import { gameCode } from '@sum28/ui/game-code.ts'
import { GameMark } from '@sum28/ui/game-mark.tsx'
import { OutcomeTags } from '@sum28/ui/outcome-tag.tsx'
import { momentText } from '@sum28/ui/time-text.ts'
import { useQuery } from '@tanstack/react-query'
import type { CheckInput } from '#src/data/draw-check.ts'
import { gamesQuery } from '#src/data/games.ts'
import { useTimeFormat } from '#src/features/use-time-format.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/fairness/check-subject.module.css'

/** The subject of a check: the round with its digits, and the bet of a receipt. */
export function CheckSubject({ input: { round, receipt } }: { input: CheckInput }) {
  const t = useText()
  const when = useTimeFormat()
  const games = useQuery(gamesQuery)
  const game = gameCode(round.game_id)
  const name = games.data?.find(({ id }) => id === round.game_id)?.name ?? game?.toUpperCase() ?? ''
  return (
    <div className="stack-2 shrink" data-game={game}>
      <div className={styles.line}>
        {game && <GameMark game={game} size={32} />}
        <div className={styles.words}>
          <b>{name}</b>
          <span className="num">{t('betHistory.round', { issue: round.issue })}</span>
        </div>
        <DrawTiles digits={round.digits} />
      </div>
      <p className={styles.moment}>{momentText(round.ends_at * 1_000, when)}</p>
      {receipt && (
        <div className={styles.bet}>
          <span className="num">
            {t('bet.order')} {receipt.orderNo}
          </span>
          <OutcomeTags
            outcomes={receipt.selections.map(
              (selection) => ruleById(selection.class)?.outcome ?? String(selection.class),
            )}
          />
        </div>
      )}
    </div>
  )
}
