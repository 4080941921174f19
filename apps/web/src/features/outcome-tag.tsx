import { NAMED_OUTCOMES } from '@sum28/domain/digits.ts'
import type { NamedOutcome } from '@sum28/domain/outcomes.ts'
import { type ReactNode, useCallback } from 'react'
import styles from '#src/features/outcome-tag.module.css'
import { useText } from '#src/i18n/text.ts'

/** An outcome's word in the present language; a sum is its number. Another function when the language changes. */
export function useOutcomeWord(): (outcome: string) => string {
  const t = useText()
  return useCallback((outcome) => (isNamed(outcome) ? t(`outcome.${outcome}`) : outcome), [t])
}

export function lookOf(outcome: string): 'long' | 'short' | 'other' {
  return outcome.startsWith('long') ? 'long' : outcome.startsWith('short') ? 'short' : 'other'
}

type TagProps = { look: 'long' | 'short' | 'other' | 'missed'; children: ReactNode }

/** A tag in the colour of an outcome, with its word. */
export function Tag({ look, children }: TagProps) {
  return (
    <span className={styles.tag} data-look={look}>
      {children}
    </span>
  )
}

type OutcomeTagsProps = {
  outcomes: readonly string[]
  /** Further ones are counted as `+n`. */
  max?: number
}

export function OutcomeTags({ outcomes, max = 99 }: OutcomeTagsProps) {
  const word = useOutcomeWord()
  const rest = outcomes.length - max
  return (
    <span className={styles.tags}>
      {outcomes.slice(0, max).map((outcome) => (
        <Tag key={outcome} look={lookOf(outcome)}>
          {word(outcome)}
        </Tag>
      ))}
      {rest > 0 && <Tag look="other">+{rest}</Tag>}
    </span>
  )
}

function isNamed(outcome: string): outcome is NamedOutcome {
  return (NAMED_OUTCOMES as readonly string[]).includes(outcome)
}
