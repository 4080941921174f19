import { sumOfDigits } from '@sum28/domain/digits.ts'
import { labelsOfSum } from '@sum28/domain/outcomes.ts'
import { AmountText } from '@sum28/ui/amount.tsx'
import { Card } from '@sum28/ui/card.tsx'
import { CopyButton } from '@sum28/ui/copy-button.tsx'
import { DrawTiles } from '@sum28/ui/draw-tiles.tsx'
import { gameCodeOfName } from '@sum28/ui/game-code.ts'
import { GameMark } from '@sum28/ui/game-mark.tsx'
import { LabelAmount, LabelValue, LabelValues } from '@sum28/ui/label-values.tsx'
import { OutcomeTags } from '@sum28/ui/outcome-tag.tsx'
import { momentText } from '@sum28/ui/time-text.ts'
import { verdictOf } from '#src/data/bet.ts'
import type { FullBet } from '#src/data/full-bet.ts'
import { useRoomTitle } from '#src/features/room-title.ts'
import { useTimeFormat } from '#src/features/use-time-format.ts'
import { useText } from '#src/i18n/text.ts'
import { BetReceipt } from '#src/screens/bet/bet-receipt.tsx'
import { BetSelections } from '#src/screens/bet/bet-selections.tsx'
import styles from '#src/screens/bet/bet-sheet.module.css'

/** All facts of a bet: the draw, then selections and money, then times and numbers. */
export function BetSheet({ bet }: { bet: FullBet }) {
  return (
    <>
      <BetResult bet={bet} />
      <BetSelections bet={bet} />
      <BetMoney bet={bet} />
      <BetFacts bet={bet} />
      <BetReceipt bet={bet} />
    </>
  )
}

const TONES = { pending: 'warn', won: 'in', lost: 'quiet', refunded: 'quiet' } as const

function BetResult({ bet }: { bet: FullBet }) {
  const t = useText()
  const roomTitle = useRoomTitle()
  const sum = bet.digits && sumOfDigits(bet.digits)
  const verdict = verdictOf(bet)
  return (
    <Card className={styles.hero} data-game={gameCodeOfName(bet.game)}>
      <div className={styles.head}>
        <GameMark game={gameCodeOfName(bet.game)} size={32} />
        <b>
          {bet.game} · {roomTitle({ title: bet.room, type: bet.roomType })}
        </b>
        <span className={styles.status} data-tone={TONES[verdict]}>
          {t(`bet.${verdict}`)}
        </span>
      </div>
      <DrawTiles digits={bet.digits} size="l" reveal={bet.digits ? bet.issue : undefined} />
      {sum !== null && <OutcomeTags outcomes={labelsOfSum(sum).base} />}
      {sum === null && (
        <p className={styles.waiting}>
          {bet.result === 'refunded' ? t('bet.refundedHint') : t('bet.pendingHint')}
        </p>
      )}
    </Card>
  )
}

function BetMoney({ bet }: { bet: FullBet }) {
  const t = useText()
  const known = bet.result === 'won' || bet.result === 'lost'
  return (
    <Card kind="rows">
      <LabelValues kind="rows">
        <LabelAmount label={t('betHistory.staked')} value={bet.staked} decimals="all" />
        {known && <LabelAmount label={t('bet.payout')} value={bet.payout} decimals="all" />}
        {bet.result === 'refunded' && (
          <LabelAmount label={t('receipt.returned')} value={bet.staked} decimals="all" />
        )}
        <LabelValue label={t('bet.profit')}>
          {known ? <AmountText value={bet.profit} decimals="all" signed /> : '----'}
        </LabelValue>
        <LabelAmount label={t('receipt.before')} value={bet.balanceBefore} decimals="all" />
        <LabelAmount label={t('receipt.after')} value={bet.balanceAfter} decimals="all" />
      </LabelValues>
    </Card>
  )
}

function BetFacts({ bet }: { bet: FullBet }) {
  const t = useText()
  const when = useTimeFormat()
  const refunded = bet.result === 'refunded'
  return (
    <Card kind="rows">
      <LabelValues kind="rows">
        <LabelValue label={t('bet.round')}>{bet.issue}</LabelValue>
        <LabelValue label={t('bet.time')}>{momentText(bet.placedAt, when)}</LabelValue>
        {bet.settledAt !== null && (
          <LabelValue label={t(refunded ? 'receipt.refundedAt' : 'receipt.settledAt')}>
            {momentText(bet.settledAt, when)}
          </LabelValue>
        )}
        <LabelValue
          label={t('bet.order')}
          end={
            <CopyButton
              small
              value={bet.orderNo}
              label={t('copy.label', { what: t('bet.order') })}
            />
          }
        >
          {bet.orderNo}
        </LabelValue>
        <LabelValue label={t('receipt.gameAndRoom')}>
          {bet.gameId} · {bet.roomId}
        </LabelValue>
        <LabelValue label={t('receipt.rules')}>{bet.rulesVersion}</LabelValue>
      </LabelValues>
    </Card>
  )
}
