import { Typography } from '@mui/material'
import { LineChart } from '@mui/x-charts/LineChart'
import { useTranslate } from 'react-admin'
import {
  HEIGHT,
  numberAxis,
  runningFigures,
  useDays,
  useHoursAxis,
} from '#src/areas/start/chart-parts.ts'
import type { StartFigures } from '#src/areas/start/return-band.ts'

type HoursChartProps = { days: StartFigures['days']; of: 'turnover' | 'payouts' }

/** An amount since each day's beginning, of today, yesterday and a week ago. */
export function HoursChart({ days, of }: HoursChartProps) {
  const translate = useTranslate()
  const names = useDays()
  const axis = useHoursAxis(Math.max(1, ...days.map((day) => day.hours.length)))
  if (days.every((day) => day.hours.length === 0)) {
    return <Typography color="textSecondary">{translate('areas.start.noRounds')}</Typography>
  }
  return (
    <LineChart
      height={HEIGHT}
      skipAnimation
      xAxis={[axis]}
      yAxis={[numberAxis()]}
      series={days.map(({ hours }, index) => ({
        data: [0, ...runningFigures(hours).map((sum) => sum[of])],
        label: names[index]?.name ?? '',
        color: names[index]?.color ?? '',
        showMark: false,
        curve: 'linear' as const,
      }))}
    />
  )
}
