import { NAMED_OUTCOMES, type NamedOutcome } from '@sum28/domain/outcomes.ts'
import { useCallback } from 'react'
import styles from '#src/features/outcome-tag.module.css'
import { useText } from '#src/i18n/text.ts'

/** An outcome's word in the present language; a sum is its number. Another function when the language changes. */
export function useOutcomeWord(): (outcome: string) => string {
  const t = useText()
  return useCallback((outcome) => (isNamed(outcome) ? t(`outcome.${outcome}`) : outcome), [t])
}

/** An outcome as a coloured tag with its word. */
function OutcomeTag({ outcome }: { outcome: string }) {
  const word = useOutcomeWord()
  const look = outcome.startsWith('long') ? 'long' : outcome.startsWith('short') ? 'short' : 'other'
  return (
    <span className={styles.tag} data-look={look}>
      {word(outcome)}
    </span>
  )
}

type OutcomeTagsProps = {
  /** Outcome words, as a list or as the wire's comma separated `play_method`. */
  outcomes: readonly string[] | string
  /** Further ones are counted as `+n`. */
  max?: number
}

/** Several outcomes in a row that wraps. */
export function OutcomeTags({ outcomes, max = 99 }: OutcomeTagsProps) {
  const list = typeof outcomes === 'string' ? outcomesOfMethod(outcomes) : outcomes
  const rest = list.length - max
  return (
    <span className={styles.tags}>
      {list.slice(0, max).map((outcome) => (
        <OutcomeTag key={outcome} outcome={outcome} />
      ))}
      {rest > 0 && (
        <span className={styles.tag} data-look="other">
          +{rest}
        </span>
      )}
    </span>
  )
}

function outcomesOfMethod(method: string): string[] {
  return method
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)
}

function isNamed(outcome: string): outcome is NamedOutcome {
  return (NAMED_OUTCOMES as readonly string[]).includes(outcome)
}
