import { sumOfDigits } from '@sum28/domain/digits.ts'
import { FieldFrame } from '@sum28/ui/field-frame.tsx'
import { Icon } from '@sum28/ui/icon.tsx'
import { useId } from 'react'
import type { PastRound } from '#src/data/rounds/past-round.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/fairness/round-select.module.css'

type RoundSelectProps = {
  rounds: readonly PastRound[]
  value: string | null
  onChange: (issue: string) => void
}

/** The past rounds to choose from, with the one that the address names. */
export function RoundSelect({ rounds, value, onChange }: RoundSelectProps) {
  const t = useText()
  const id = useId()
  const listed = rounds.some(({ issue }) => issue === value)
  return (
    <FieldFrame id={id} label={t('check.issue')}>
      <div className={styles.box}>
        <select
          id={id}
          className={styles.select}
          value={value ?? ''}
          disabled={value === null && rounds.length === 0}
          onChange={(event) => onChange(event.target.value)}
        >
          {!listed && <option value={value ?? ''}>{value ?? '–'}</option>}
          {rounds.map(({ issue, digits }) => (
            <option key={issue} value={issue}>
              {digits
                ? `${issue} · ${digits.join(' ')} = ${sumOfDigits(digits)}`
                : t('check.voidedOption', { issue })}
            </option>
          ))}
        </select>
        <Icon name="down" size={18} className={styles.arrow} />
      </div>
    </FieldFrame>
  )
}
