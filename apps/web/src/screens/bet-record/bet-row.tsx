import { Link } from 'react-router'
import { href } from '#src/app/routes.ts'
import type { Bet } from '#src/data/bet.ts'
import { useGameZone } from '#src/data/game-zone.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import { BetProfit } from '#src/screens/bet-record/bet-profit.tsx'
import styles from '#src/screens/bet-record/bet-row.module.css'
import { AmountText } from '#src/ui/amount.tsx'
import { DrawTiles } from '#src/ui/draw-tiles.tsx'
import { gameCodeOfName } from '#src/ui/game-code.ts'
import { GameMark } from '#src/ui/game-mark.tsx'
import { OutcomeTags } from '#src/ui/outcome-tag.tsx'
import { roundNumber } from '#src/ui/round-number.ts'
import { clockTimeText } from '#src/ui/time-text.ts'

/** A few tell what was bet on; the rest is in the bet's own page. */
const TAGS_MAX = 4

/** One bet of the list; leads to its own page. */
export function BetRow({ bet }: { bet: Bet }) {
  const t = useText()
  const { tag } = useLocale()
  const { zone } = useGameZone()
  return (
    <Link
      className={styles.row}
      to={href('betDetail', { item: JSON.stringify({ orderNo: bet.orderNo }) })}
    >
      <GameMark game={gameCodeOfName(bet.game)} size={32} />
      <span className={styles.words}>
        <span className={styles.line}>
          <b>
            {bet.game} · {bet.room}
          </b>
          <BetProfit bet={bet} />
        </span>
        <span className={styles.line}>
          <span className="num">
            {t('bets.round', { issue: roundNumber(bet.issue) })} ·{' '}
            {clockTimeText(bet.placedAt, { tag, zone })}
          </span>
          <span>
            {t('bets.staked')} <AmountText value={bet.staked} />
          </span>
        </span>
      </span>
      <span className={styles.play}>
        <OutcomeTags outcomes={bet.outcomes} max={TAGS_MAX} />
        {bet.digits && <DrawTiles digits={bet.digits} size="s" />}
      </span>
    </Link>
  )
}
