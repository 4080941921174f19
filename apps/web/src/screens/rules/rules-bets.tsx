import { sumOfDigits } from '@sum28/domain/digits.ts'
import { labelsOfSum } from '@sum28/domain/outcomes.ts'
import { DrawTiles } from '@sum28/ui/draw-tiles.tsx'
import { OutcomeTags } from '@sum28/ui/outcome-tag.tsx'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/rules/rules.module.css'
import { RulesPart } from '#src/screens/rules/rules-part.tsx'

const DIGITS = [4, 7, 8] as const

/** The outcomes that can be bet on, with an example. */
export function RulesBets() {
  const t = useText()
  const sum = sumOfDigits(DIGITS)
  const { base, join } = labelsOfSum(sum)
  return (
    <RulesPart title={t('rules.betTitle')}>
      <p>{t('rules.betText')}</p>
      <div className={styles.example}>
        <DrawTiles digits={[...DIGITS]} size="s" />
        <p>{t('rules.exampleWins')}</p>
        <OutcomeTags outcomes={[...base, join, String(sum)]} />
      </div>
    </RulesPart>
  )
}
