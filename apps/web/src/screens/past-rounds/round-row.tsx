import { DrawTiles } from '@sum28/ui/draw-tiles.tsx'
import { Icon } from '@sum28/ui/icon.tsx'
import { OutcomeTags } from '@sum28/ui/outcome-tag.tsx'
import { roundNumber } from '@sum28/ui/round-number.ts'
import { clockTimeText } from '@sum28/ui/time-text.ts'
import { Link } from '#src/app/navigation.tsx'
import { href } from '#src/app/routes.ts'
import type { PastRound } from '#src/data/rounds/past-round.ts'
import { useTimeFormat } from '#src/features/use-time-format.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/past-rounds/past-rounds.module.css'

/** One past round, as a link to its check. */
export function RoundRow({ gameId, round }: { gameId: number; round: PastRound }) {
  const t = useText()
  const when = useTimeFormat()
  const { issue, digits, labels, drawnAt } = round
  return (
    <Link className={styles.row} to={href('fairness', { game_id: String(gameId), issue })}>
      <span className={styles.words}>
        <span className={`${styles.title} num`}>
          {t('hall.round', { issue: roundNumber(issue) })}
        </span>
        <time className="num" dateTime={new Date(drawnAt).toISOString()}>
          {clockTimeText(drawnAt, when)}
        </time>
      </span>
      {digits ? (
        <span className={styles.draw}>
          <DrawTiles digits={digits} size="s" />
          <OutcomeTags outcomes={labels} />
        </span>
      ) : (
        <span className={styles.voided}>{t('room.voided')}</span>
      )}
      <span className="unseen">{t('charts.check')}</span>
      <Icon name="forward" size={16} className={styles.arrow} />
    </Link>
  )
}
