import { Link } from 'react-router'
import { href } from '#src/app/routes.ts'
import { useGameZone } from '#src/data/game-zone.ts'
import type { PastDraw } from '#src/data/past-draw.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import styles from '#src/screens/lottery-detail/past-rounds.module.css'
import { DrawTiles } from '#src/ui/draw-tiles.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { OutcomeTags } from '#src/ui/outcome-tag.tsx'
import { roundNumber } from '#src/ui/round-number.ts'
import { clockTimeText } from '#src/ui/time-text.ts'

/** One past round; leads to its check. */
export function RoundRow({ gameId, draw }: { gameId: number; draw: PastDraw }) {
  const t = useText()
  const { tag } = useLocale()
  const { zone } = useGameZone()
  const { issue, digits, labels, drawnAt } = draw
  return (
    <Link className={styles.row} to={href('fairness', { game_id: String(gameId), issue })}>
      <span className={styles.words}>
        <span className={`${styles.title} num`}>
          {t('hall.round', { issue: roundNumber(issue) })}
        </span>
        <time className="num" dateTime={new Date(drawnAt).toISOString()}>
          {clockTimeText(drawnAt, { tag, zone })}
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
      <span className="unseen">{t('find.check')}</span>
      <Icon name="forward" size={16} className={styles.arrow} />
    </Link>
  )
}
