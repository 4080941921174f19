import type { ReactNode } from 'react'
import styles from '#src/features/time-line.module.css'
import { useText } from '#src/i18n/text.ts'
import { Icon } from '#src/parts/icon.tsx'

export type TimeLineStep = {
  label: string
  /** A second, quieter line: a time, a count, a reason. */
  note?: ReactNode
  /** `failed`: it ended here, without its aim. */
  at: 'done' | 'now' | 'later' | 'failed'
}

/** The steps of something that is on its way, one below the other; the present one pulses. */
export function TimeLine({ steps }: { steps: readonly TimeLineStep[] }) {
  const t = useText()
  return (
    <ol className="stack">
      {steps.map(({ label, note, at }) => (
        <li
          key={label}
          className={styles.step}
          data-at={at}
          aria-current={at === 'now' ? 'step' : undefined}
        >
          <span className={styles.dot}>
            {at === 'done' && <Icon name="check" size={14} />}
            {at === 'failed' && <Icon name="close" size={14} />}
          </span>
          <span className={styles.words}>
            <span>
              {label}
              {at === 'later' && <span className="unseen"> ({t('step.later')})</span>}
            </span>
            {note && <span className="caption medium">{note}</span>}
          </span>
        </li>
      ))}
    </ol>
  )
}
