import { roundNumber } from '@sum28/domain/issues.ts'
import { AmountText } from '@sum28/ui/amount.tsx'
import { DrawTiles } from '@sum28/ui/draw-tiles.tsx'
import { gameCodeOfName } from '@sum28/ui/game-code.ts'
import { GameLogo } from '@sum28/ui/game-logo.tsx'
import { OutcomeTags } from '@sum28/ui/outcome-tag.tsx'
import { RecordRow } from '@sum28/ui/record-row.tsx'
import { clockTimeText } from '@sum28/ui/time-text.ts'
import type { Bet } from '#src/data/bet.ts'
import { NotWitnessed } from '#src/features/local-beacon-note.tsx'
import { useRoomTitle } from '#src/features/room-title.ts'
import { useTimeFormat } from '#src/features/use-time-format.ts'
import { useText } from '#src/i18n/text.ts'
import { href } from '#src/navigation/routes.ts'
import styles from '#src/screens/bet-history/bet-history.module.css'
import { profitLook } from '#src/screens/bet-history/profit-look.ts'

/** The bet's own page shows all of them. */
const TAGS_MAX = 4

/** One bet of the list; leads to its own page. */
export function BetRow({ bet }: { bet: Bet }) {
  const t = useText()
  const when = useTimeFormat()
  const roomTitle = useRoomTitle()
  return (
    <RecordRow
      to={href('bet', { item: JSON.stringify({ orderNo: bet.orderNo }) })}
      sign={<GameLogo game={gameCodeOfName(bet.game)} size={32} />}
      title={`${bet.game} · ${roomTitle({ title: bet.room })}`}
      value={<BetProfit bet={bet} />}
      note={
        <>
          {t('betHistory.round', { issue: roundNumber(bet.issue) })} ·{' '}
          {clockTimeText(bet.placedAt, when)}
        </>
      }
      noteEnd={
        <>
          {t('betHistory.staked')} <AmountText value={bet.staked} />
        </>
      }
    >
      <div className={styles.play}>
        <OutcomeTags outcomes={bet.outcomes} max={TAGS_MAX} />
        {bet.digits && <DrawTiles digits={bet.digits} size="s" />}
      </div>
      {bet.witnessed === false && <NotWitnessed />}
    </RecordRow>
  )
}

/** The result of a bet: pending, a figure, no profit, or refunded. */
function BetProfit({ bet }: { bet: Bet }) {
  const t = useText()
  switch (profitLook(bet)) {
    case 'pending':
      return (
        <span className={styles.profit}>
          <span className={styles.badge} data-tone="warn">
            {t('betHistory.pending')}
          </span>
          <span className="hint">----</span>
        </span>
      )
    case 'win':
      return (
        <b className={styles.won}>
          <AmountText value={bet.profit} signed />
        </b>
      )
    case 'figure':
      return (
        <span className={styles.lost}>
          <AmountText value={bet.profit} signed />
        </span>
      )
    case 'lost':
      return <span className={styles.lost}>{t('betHistory.lost')}</span>
    case 'refunded':
      return <span className={styles.badge}>{t('betHistory.refunded')}</span>
  }
}
