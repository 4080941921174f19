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
import { RecordRow } from '#src/ui/record-row.tsx'
import { useRoomTitle } from '#src/ui/room-title.ts'
import { roundNumber } from '#src/ui/round-number.ts'
import { clockTimeText } from '#src/ui/time-text.ts'

/** A few tell what was bet on; the rest is in the bet's own page. */
const TAGS_MAX = 4

/** One bet of the list; leads to its own page. */
export function BetRow({ bet }: { bet: Bet }) {
  const t = useText()
  const { tag } = useLocale()
  const { zone } = useGameZone()
  const roomTitle = useRoomTitle()
  return (
    <RecordRow
      to={href('betDetail', { item: JSON.stringify({ orderNo: bet.orderNo }) })}
      sign={<GameMark game={gameCodeOfName(bet.game)} size={32} />}
      title={`${bet.game} · ${roomTitle({ title: bet.room })}`}
      value={<BetProfit bet={bet} />}
      note={
        <>
          {t('bets.round', { issue: roundNumber(bet.issue) })} ·{' '}
          {clockTimeText(bet.placedAt, { tag, zone })}
        </>
      }
      noteEnd={
        <>
          {t('bets.staked')} <AmountText value={bet.staked} />
        </>
      }
    >
      <div className={styles.play}>
        <OutcomeTags outcomes={bet.outcomes} max={TAGS_MAX} />
        {bet.digits && <DrawTiles digits={bet.digits} size="s" />}
      </div>
    </RecordRow>
  )
}
