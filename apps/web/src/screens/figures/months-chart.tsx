import { amountText } from '@sum28/ui/amount-format.ts'
import { useLocale } from '@sum28/ui/text.ts'
import type { MonthFigures } from '#src/data/figures.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/figures/months-chart.module.css'

const WIDTH = 300
const HEIGHT = 96
const MIDDLE = HEIGHT / 2
const GAP = 6

/** `Nov 2026`, as the language writes it. */
export function monthText(month: string, tag: string): string {
  const format = new Intl.DateTimeFormat(tag, { timeZone: 'UTC', year: 'numeric', month: 'short' })
  return format.format(Date.parse(`${month}-15T00:00:00Z`))
}

/** The result of each month as a bar: up if the payouts were above the stakes, else down. */
export function MonthsChart({ months }: { months: readonly MonthFigures[] }) {
  const t = useText()
  const { tag } = useLocale()
  const nets = months.map(({ net }) => Number(net))
  const largest = Math.max(1, ...nets.map(Math.abs))
  const step = WIDTH / months.length
  const descriptions = months.map(
    ({ month, net }) =>
      `${monthText(month, tag)} ${amountText(net, { tag, decimals: 'two', plus: true })}`,
  )
  return (
    <svg
      className={styles.chart}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`${t('figures.byMonth')}: ${descriptions.join('; ')}`}
    >
      {months.map(({ month }, at) => {
        const net = nets[at] ?? 0
        // The bar of a small result has a minimum height, so that it is visible.
        const height = net === 0 ? 0 : Math.max(1.5, (Math.abs(net) / largest) * (MIDDLE - 2))
        return (
          <rect
            key={month}
            className={net > 0 ? styles.up : styles.down}
            x={at * step + GAP / 2}
            y={net > 0 ? MIDDLE - height : MIDDLE}
            width={step - GAP}
            height={height}
            rx={2}
          />
        )
      })}
      <line className={styles.zero} x1={0} x2={WIDTH} y1={MIDDLE} y2={MIDDLE} />
    </svg>
  )
}
