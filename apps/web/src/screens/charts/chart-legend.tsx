import type { NamedOutcome } from '@sum28/domain/outcomes.ts'
import { Icon } from '@sum28/ui/icon.tsx'
import { useOutcomeWord } from '@sum28/ui/outcome-tag.tsx'
import { CANDLE_TYPES, type HiddenTypes, MARKER_TYPES } from '#src/data/rounds/candles.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/charts/chart-legend.module.css'

type ChartLegendProps = {
  hidden: HiddenTypes
  onToggle: (type: NamedOutcome) => void
}

/** The legend of candles and markers; each entry is a button that hides or shows its kind. */
export function ChartLegend({ hidden, onToggle }: ChartLegendProps) {
  const t = useText()
  const word = useOutcomeWord()
  return (
    <fieldset className={styles.legend}>
      <legend className="unseen">{t('charts.legend')}</legend>
      {[...CANDLE_TYPES, ...MARKER_TYPES].map((type) => (
        <button
          key={type}
          type="button"
          className={styles.type}
          aria-pressed={!hidden.has(type)}
          onClick={() => onToggle(type)}
        >
          <span className={styles.face}>
            <Sign type={type} />
            {word(type)}
            {hidden.has(type) && <Icon name="eyeOff" size={14} className={styles.off} />}
          </span>
        </button>
      ))}
    </fieldset>
  )
}

/** As in the chart: full candles are long, hollow ones short; dots odd, squares even. */
function Sign({ type }: { type: NamedOutcome }) {
  const size = type.startsWith('long') ? 'long' : 'short'
  return (
    <svg className={styles.sign} data-size={size} viewBox="0 0 12 16" aria-hidden="true">
      {type === size && <path d="M6 0v3M6 13v3" />}
      {type === size && (
        <rect x="2.75" y="3.75" width="6.5" height="8.5" data-full={type === 'long'} />
      )}
      {type.endsWith('odd') && <circle cx="6" cy="8" r="4" data-full="true" />}
      {type.endsWith('even') && <rect x="2.5" y="4.5" width="7" height="7" data-full="true" />}
    </svg>
  )
}
