import { type Amount, MICRO } from '@sum28/domain/money.ts'
import { payoutAt } from '@sum28/domain/payout.ts'
import { amountText } from '@sum28/ui/amount-format.ts'
import { oddsText } from '@sum28/ui/odds-text.ts'
import { useOutcomeWord } from '@sum28/ui/outcome-tag.tsx'
import { useLocale } from '@sum28/ui/text.ts'
import type { RoomRules } from '#src/data/room-rules.ts'
import { useText } from '#src/i18n/text.ts'
import { RulesPart } from '#src/screens/rules/rules-part.tsx'

/** Explains odds and return by the first outcome of the chosen room. */
export function RulesReturn({ room }: { room: RoomRules }) {
  const t = useText()
  const { tag } = useLocale()
  const word = useOutcomeWord()
  const [first] = room.named
  if (!first) return null

  const amount = (value: bigint) => amountText(value, { tag })
  const payout = payoutAt(room.stakeMin, first.oddsMilli)
  const { share, back, kept } = returnOf(first.return)
  const percent = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 2 })
  return (
    <>
      <RulesPart title={t('rules.payTitle')}>
        <p>
          {t('rules.payText', {
            stake: amount(room.stakeMin),
            outcome: word(first.outcome),
            odds: oddsText(first.odds, tag),
            payout: amount(payout),
            profit: amount(payout - room.stakeMin),
          })}
        </p>
        <p>{t('rules.payFixed')}</p>
      </RulesPart>
      <RulesPart title={t('rules.returnTitle')}>
        <p>
          {t('rules.returnText', {
            all: new Intl.NumberFormat(tag).format(1_000),
            share: percent.format(share),
            back: amount(back),
            kept: amount(kept),
          })}
        </p>
        <p>{t('rules.returnTruth')}</p>
      </RulesPart>
    </>
  )
}

/** A return (`"0.9600"`) as amounts: how much of each 100 u is paid back, and how much is kept. */
function returnOf(share: string): { share: number; back: Amount; kept: Amount } {
  const hundred = 100n * MICRO
  // Four decimals of one are as many cents of a hundred.
  const back = BigInt(share.replace('.', '')) * (hundred / 10_000n)
  return { share: Number(share), back, kept: hundred - back }
}
