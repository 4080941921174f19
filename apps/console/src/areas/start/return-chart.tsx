import { Typography, useTheme } from '@mui/material'
import { LineChart } from '@mui/x-charts/LineChart'
import type { WireFigures } from '@sum28/contract/staff-start-routes.ts'
import { useTranslate } from 'react-admin'
import { HEIGHT, runningFigures, useHoursAxis } from '#src/areas/start/chart-parts.ts'
import { DEVIATIONS, percent } from '#src/areas/start/return-band.ts'

/** Today's actual return, hour by hour, with the theoretical one and the band of 95% of days. */
export function ReturnChart({ hours }: { hours: readonly WireFigures[] }) {
  const translate = useTranslate()
  const { palette } = useTheme()
  const axis = useHoursAxis(Math.max(1, hours.length))
  const sums = runningFigures(hours)
  if (sums.length === 0) {
    return <Typography color="textSecondary">{translate('areas.start.noRounds')}</Typography>
  }
  function line(name: string, color: string, of: (sum: (typeof sums)[number]) => number) {
    // There is no return before the first stake.
    const data = [null, ...sums.map((sum) => (sum.turnover > 0 ? of(sum) / sum.turnover : null))]
    const label = translate(`areas.start.lines.${name}`)
    // A single point is not a line.
    const showMark = data.filter((value) => value !== null).length === 1
    return { data, label, color, showMark, curve: 'linear' as const }
  }
  const reach = ({ variance }: (typeof sums)[number]) => DEVIATIONS * Math.sqrt(variance)
  return (
    <LineChart
      height={HEIGHT}
      skipAnimation
      xAxis={[axis]}
      yAxis={[{ width: 64, min: 0, valueFormatter: percent }]}
      series={[
        line('fact', palette.primary.main, (sum) => sum.payouts),
        line('theory', palette.text.secondary, (sum) => sum.expected),
        line('low', palette.text.disabled, (sum) => Math.max(0, sum.expected - reach(sum))),
        line('high', palette.text.disabled, (sum) => sum.expected + reach(sum)),
      ]}
    />
  )
}
