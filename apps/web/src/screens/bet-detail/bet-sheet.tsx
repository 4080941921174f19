import { labelsOfSum } from '@sum28/domain/outcomes.ts'
import type { ReactNode } from 'react'
import { type Bet, verdictOf } from '#src/data/bet.ts'
import { useGameZone } from '#src/data/game-zone.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import styles from '#src/screens/bet-detail/bet-sheet.module.css'
import { AmountText } from '#src/ui/amount.tsx'
import { Card } from '#src/ui/card.tsx'
import { CopyButton } from '#src/ui/copy-button.tsx'
import { DrawTiles } from '#src/ui/draw-tiles.tsx'
import { gameCodeOfName } from '#src/ui/game-code.ts'
import { GameMark } from '#src/ui/game-mark.tsx'
import { OutcomeTags } from '#src/ui/outcome-tag.tsx'
import { momentText } from '#src/ui/time-text.ts'

/** All that is known of a bet: the draw first, then the money, then when and what. */
export function BetSheet({ bet }: { bet: Bet }) {
  const t = useText()
  const { tag } = useLocale()
  const { zone } = useGameZone()
  const sum = bet.digits ? bet.digits[0] + bet.digits[1] + bet.digits[2] : null
  const known = bet.result === 'won' || bet.result === 'lost'
  const verdict = verdictOf(bet)
  return (
    <>
      <Card className={styles.hero} data-game={gameCodeOfName(bet.game)}>
        <div className={styles.head}>
          <GameMark game={gameCodeOfName(bet.game)} size={32} />
          <b>
            {bet.game} · {bet.room}
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
      <Card kind="rows">
        <dl>
          <Line label={t('bets.staked')}>
            <AmountText value={bet.staked} decimals="all" />
          </Line>
          {bet.outcomes.length > 1 && (
            <Line label={t('bet.stakeEach')}>
              {/* Each selection has the same stake, so this is exact. */}
              <AmountText value={bet.staked / BigInt(bet.outcomes.length)} decimals="all" />
            </Line>
          )}
          {known && (
            <Line label={t('bet.payout')}>
              <AmountText value={bet.staked + bet.profit} decimals="all" />
            </Line>
          )}
          <Line label={t('bet.profit')}>
            {known ? <AmountText value={bet.profit} decimals="all" signed /> : '----'}
          </Line>
        </dl>
      </Card>
      <Card kind="rows">
        <dl>
          <Line label={t('bet.selections')}>
            <OutcomeTags outcomes={bet.outcomes} />
          </Line>
          <Line label={t('bet.round')}>{bet.issue}</Line>
          <Line label={t('bet.time')}>{momentText(bet.placedAt, { tag, zone })}</Line>
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
        </dl>
      </Card>
    </>
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
