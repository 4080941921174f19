import { Typography, useTheme } from '@mui/material'
import { BarChart } from '@mui/x-charts/BarChart'
import { useTranslate } from 'react-admin'
import { HEIGHT, numberAxis, unitsOf, useDays } from '#src/areas/start/chart-parts.ts'
import type { StartFigures } from '#src/areas/start/return-band.ts'

type Day = StartFigures['days'][number]

type DaysChartProps = {
  days: readonly Day[]
  /** The bars of each day, each with a key of the catalog. */
  series: readonly { name: string; of: (day: Day) => number }[]
}

/** Figures of today, yesterday and a week ago, side by side. */
export function DaysChart({ days, series }: DaysChartProps) {
  const translate = useTranslate()
  const names = useDays()
  const { palette } = useTheme()
  const colours = [palette.primary.main, palette.text.secondary]
  return (
    <BarChart
      height={HEIGHT}
      skipAnimation
      xAxis={[{ data: days.map((_, index) => names[index]?.name ?? ''), scaleType: 'band' }]}
      yAxis={[numberAxis()]}
      series={series.map(({ name, of }, index) => ({
        data: days.map(of),
        label: translate(`areas.start.${name}`),
        color: colours[index] ?? palette.text.disabled,
      }))}
    />
  )
}

/** The turnover of each game and room, today, yesterday and a week ago, up to the same time. */
export function RoomsChart({ rooms }: { rooms: StartFigures['rooms'] }) {
  const translate = useTranslate()
  const names = useDays()
  if (rooms.length === 0) {
    return <Typography color="textSecondary">{translate('areas.start.noRounds')}</Typography>
  }
  const bars = rooms.map(({ turnover, before }) => [turnover, ...before].map(unitsOf))
  return (
    <BarChart
      height={HEIGHT}
      skipAnimation
      xAxis={[{ data: rooms.map(({ game, room }) => `${game} ${room}`), scaleType: 'band' }]}
      yAxis={[numberAxis()]}
      series={names.map(({ name, color }, index) => ({
        data: bars.map((bar) => bar[index] ?? 0),
        label: name,
        color,
      }))}
    />
  )
}
