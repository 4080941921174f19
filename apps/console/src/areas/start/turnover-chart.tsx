import { Typography, useTheme } from '@mui/material'
import { LineChart } from '@mui/x-charts/LineChart'
import { amountFromWire } from '@sum28/domain/money.ts'
import { useTranslate } from 'react-admin'
import type { StartFigures } from '#src/areas/start/return-band.ts'
import { TAG } from '#src/parts/money.tsx'

const MICRO = 1_000_000
const COMPACT = new Intl.NumberFormat(TAG, { notation: 'compact' })

/** The turnover since each day's beginning, of today, yesterday and a week ago. */
export function TurnoverChart({ days }: { days: StartFigures['days'] }) {
  const translate = useTranslate()
  const { palette } = useTheme()
  if (days.every((day) => day.hours.length === 0)) {
    return <Typography color="textSecondary">{translate('areas.start.noRounds')}</Typography>
  }
  const hours = Math.max(1, ...days.map((day) => day.hours.length))
  const colours = [palette.primary.main, palette.text.secondary, palette.text.disabled]
  const names = [
    'areas.start.days.today',
    'areas.start.days.yesterday',
    'areas.start.days.lastWeek',
  ]
  return (
    <LineChart
      height={240}
      skipAnimation
      xAxis={[
        {
          data: Array.from({ length: hours + 1 }, (_, hour) => hour),
          label: translate('areas.start.hours'),
          min: 0,
          tickMinStep: 1,
        },
      ]}
      yAxis={[{ width: 64, min: 0, valueFormatter: (value: number) => COMPACT.format(value) }]}
      series={days.map(({ hours: amounts }, index) => ({
        data: [0, ...sums(amounts)],
        label: translate(names[index] ?? ''),
        color: colours[index] ?? palette.text.disabled,
        showMark: false,
        curve: 'linear' as const,
      }))}
    />
  )
}

/** The turnover up to the end of each hour, in u. */
function sums(amounts: readonly string[]): number[] {
  let sum = 0
  return amounts.map((amount) => {
    sum += Number(amountFromWire(amount)) / MICRO
    return sum
  })
}
