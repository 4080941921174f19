import { labelsOfSum } from '@sum28/domain/outcomes.ts'
import { AmountText } from '@sum28/ui/amount.tsx'
import { Card } from '@sum28/ui/card.tsx'
import { CopyButton } from '@sum28/ui/copy-button.tsx'
import { DrawTiles } from '@sum28/ui/draw-tiles.tsx'
import { gameCodeOfName } from '@sum28/ui/game-code.ts'
import { GameMark } from '@sum28/ui/game-mark.tsx'
import { OutcomeTags } from '@sum28/ui/outcome-tag.tsx'
import { useLocale } from '@sum28/ui/text.ts'
import { momentText } from '@sum28/ui/time-text.ts'
import type { ReactNode } from 'react'
import { verdictOf } from '#src/data/bet.ts'
import type { FullBet } from '#src/data/full-bet.ts'
import { useGameZone } from '#src/data/game-zone.ts'
import { useRoomTitle } from '#src/features/room-title.ts'
import { useText } from '#src/i18n/text.ts'
import { BetReceipt } from '#src/screens/bet/bet-receipt.tsx'
import { BetSelections } from '#src/screens/bet/bet-selections.tsx'
import styles from '#src/screens/bet/bet-sheet.module.css'

/** All that is known of a bet: the draw first, then choices and money, then when and which. */
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

function BetResult({ bet }: { bet: FullBet }) {
  const t = useText()
  const roomTitle = useRoomTitle()
  const sum = bet.digits ? bet.digits[0] + bet.digits[1] + bet.digits[2] : null
  const verdict = verdictOf(bet)
  return (
    <Card className={styles.hero} data-game={gameCodeOfName(bet.game)}>
      <div className={styles.head}>
        <GameMark game={gameCodeOfName(bet.game)} size={32} />
        <b>
          {bet.game} · {roomTitle({ title: bet.room, type: bet.roomType })}
        </b>
        <span className={styles.status} data-result={verdict}>
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
      <dl>
        <Line label={t('bets.staked')}>
          <AmountText value={bet.staked} decimals="all" />
        </Line>
        {known && (
          <Line label={t('bet.payout')}>
            <AmountText value={bet.payout} decimals="all" />
          </Line>
        )}
        {bet.result === 'refunded' && (
          <Line label={t('receipt.returned')}>
            <AmountText value={bet.staked} decimals="all" />
          </Line>
        )}
        <Line label={t('bet.profit')}>
          {known ? <AmountText value={bet.profit} decimals="all" signed /> : '----'}
        </Line>
        <Line label={t('receipt.before')}>
          <AmountText value={bet.balanceBefore} decimals="all" />
        </Line>
        <Line label={t('receipt.after')}>
          <AmountText value={bet.balanceAfter} decimals="all" />
        </Line>
      </dl>
    </Card>
  )
}

function BetFacts({ bet }: { bet: FullBet }) {
  const t = useText()
  const { tag } = useLocale()
  const { zone } = useGameZone()
  const refunded = bet.result === 'refunded'
  return (
    <Card kind="rows">
      <dl>
        <Line label={t('bet.round')}>{bet.issue}</Line>
        <Line label={t('bet.time')}>{momentText(bet.placedAt, { tag, zone })}</Line>
        {bet.settledAt !== null && (
          <Line label={t(refunded ? 'receipt.refundedAt' : 'receipt.settledAt')}>
            {momentText(bet.settledAt, { tag, zone })}
          </Line>
        )}
        <Line
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
        </Line>
        <Line label={t('receipt.gameAndRoom')}>
          {bet.gameId} · {bet.roomId}
        </Line>
        <Line label={t('receipt.rules')}>{bet.rulesVersion}</Line>
      </dl>
    </Card>
  )
}

function Line({ label, children, end }: { label: string; children: ReactNode; end?: ReactNode }) {
  return (
    <div className={styles.line} data-end={end !== undefined}>
      <dt>{label}</dt>
      <dd className="num">{children}</dd>
      {end}
    </div>
  )
}
