import type { RuleId } from '@sum28/domain/outcomes.ts'
import { amountText } from '@sum28/ui/amount-format.ts'
import { classNames } from '@sum28/ui/class-names.ts'
import { oddsText } from '@sum28/ui/odds-text.ts'
import { useOutcomeWord } from '@sum28/ui/outcome-tag.tsx'
import { useLocale } from '@sum28/ui/text.ts'
import { memo } from 'react'
import type { RoomOdds } from '#src/data/odds.ts'
import type { Offer } from '#src/data/offer.ts'
import { useText } from '#src/i18n/text.ts'
import { ChanceTable } from '#src/screens/room/chance-table.tsx'
import styles from '#src/screens/room/offer-grids.module.css'

type OfferGridsProps = {
  odds: RoomOdds
  chosen: readonly RuleId[]
  onToggle: (ruleId: RuleId) => void
}

/** All outcomes with their odds; any number can be chosen. */
export const OfferGrids = memo(function OfferGrids({ odds, chosen, onToggle }: OfferGridsProps) {
  const t = useText()
  const { tag } = useLocale()
  const picks = (offers: readonly Offer[]) =>
    offers.map((offer) => (
      <Pick
        key={offer.ruleId}
        offer={offer}
        chosen={chosen.includes(offer.ruleId)}
        onToggle={onToggle}
      />
    ))
  return (
    <>
      <fieldset className={classNames(styles.grid, styles.named)}>
        <legend className="unseen">{t('panel.regular')}</legend>
        {picks(odds.named)}
      </fieldset>
      <fieldset className={classNames(styles.grid, styles.sums)}>
        <legend className={styles.legend}>{t('panel.sums')}</legend>
        {picks(odds.sums)}
      </fieldset>
      <ChanceTable odds={odds} />
      <p className="caption">
        {t('panel.payoutMax', { amount: amountText(odds.payoutMax, { tag }) })}
      </p>
    </>
  )
})

type PickProps = { offer: Offer; chosen: boolean; onToggle: (ruleId: RuleId) => void }

const Pick = memo(function Pick({ offer, chosen, onToggle }: PickProps) {
  const { tag } = useLocale()
  const word = useOutcomeWord()
  return (
    <button
      type="button"
      className={styles.pick}
      aria-pressed={chosen}
      onClick={() => onToggle(offer.ruleId)}
    >
      <span className={styles.name}>{word(offer.outcome)}</span>{' '}
      <span className={styles.odds}>{oddsText(offer.odds, tag)}</span>
    </button>
  )
})
