import { Icon, type IconName } from '@sum28/ui/icon.tsx'
import { useLocale } from '@sum28/ui/text.ts'
import { momentText } from '@sum28/ui/time-text.ts'
import type { CheckStep } from '#src/data/draw-check.ts'
import { useTimeFormat } from '#src/features/use-time-format.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/fairness/check-step-row.module.css'

const LOOKS: Record<'ok' | 'bad' | 'none', { icon: IconName; tone: string }> = {
  ok: { icon: 'check', tone: 'in' },
  bad: { icon: 'close', tone: 'bad' },
  none: { icon: 'clock', tone: 'quiet' },
}

/** Values up to this length are beside each other; longer ones are unfolded. */
const SHORT = 24

/** One step of the check: its name, its purpose, and both values. */
export function CheckStepRow({ step, index }: { step: CheckStep; index: number }) {
  const t = useText()
  const { tag } = useLocale()
  const shown = useShownFigures(step)
  const state = step.ok === null ? 'none' : step.ok ? 'ok' : 'bad'
  const short = shown.every(({ value }) => value.length <= SHORT)
  const figures = (
    <dl className={styles.figures} data-short={short}>
      {shown.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className="num">{value}</dd>
        </div>
      ))}
    </dl>
  )
  return (
    <div className={styles.step}>
      <span className={styles.mark} data-tone={LOOKS[state].tone}>
        <Icon name={LOOKS[state].icon} size={18} />
        <span className="unseen">{t(`check.${state}`)}</span>
      </span>
      <div className={styles.words}>
        <h3>{t(`step.${step.name}`)}</h3>
        <p>{t(`step.${step.name}Text`, { count: new Intl.NumberFormat(tag).format(index) })}</p>
        {state === 'none' && <p className={styles.none}>{t('check.none')}</p>}
        {state !== 'none' &&
          (short || state === 'bad' ? (
            figures
          ) : (
            <details className={styles.more}>
              <summary>{t('check.figures')}</summary>
              {figures}
            </details>
          ))}
      </div>
    </div>
  )
}

/** Both values in a readable form. */
function useShownFigures({ name, computed, published }: CheckStep) {
  const t = useText()
  const when = useTimeFormat()
  function shown(value: string | null): string {
    if (value === null) return t('check.nothing')
    if (value === 'valid') return t('check.genuine')
    if (value === 'invalid') return t('check.notGenuine')
    const instant = name === 'beacon-after-seal'
    return instant ? momentText(Number(value) * 1_000, when) : value
  }
  // The two instants need not be equal: one must be after the other.
  if (name === 'beacon-after-seal') {
    return [
      { label: t('check.closedAt'), value: shown(published) },
      { label: t('check.beaconAt'), value: shown(computed) },
    ]
  }
  // Compares two published values; nothing is computed.
  const mine =
    name === 'public' ? 'check.paste' : name === 'chain' ? 'check.issue' : 'check.computed'
  return [
    { label: t(mine), value: shown(computed) },
    { label: t('check.published'), value: shown(published) },
  ]
}
