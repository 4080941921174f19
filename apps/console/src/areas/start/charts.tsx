import { Box, Typography, useTheme } from '@mui/material'
import { BarChart } from '@mui/x-charts/BarChart'
import { LineChart } from '@mui/x-charts/LineChart'
import type { WireFigures } from '@sum28/contract/staff-start-routes.ts'
import { amountFromWire } from '@sum28/domain/money.ts'
import { useTranslate } from 'react-admin'
import { DEVIATIONS, percent, type StartFigures } from '#src/areas/start/return-band.ts'
import { PlainTable } from '#src/parts/plain-table.tsx'
import { TAG } from '#src/parts/values.tsx'

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
  const points = days.map((_, index) => names[index]?.name ?? '')
  const bars = series.map(({ name, of }, index) => ({
    data: days.map(of),
    label: translate(`areas.start.${name}`),
    color: colours[index] ?? palette.text.disabled,
  }))
  return (
    <>
      <BarChart
        height={HEIGHT}
        skipAnimation
        xAxis={[{ data: points, scaleType: 'band' }]}
        yAxis={[numberAxis()]}
        series={bars}
      />
      <ChartFigures axis="areas.start.day" points={points} series={bars} />
    </>
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
      xAxis={[{ data: rooms.map(({ game, room }) => `${game} · ${room}`), scaleType: 'band' }]}
      yAxis={[numberAxis()]}
      series={names.map(({ name, color }, index) => ({
        data: bars.map((bar) => bar[index] ?? 0),
        label: name,
        color,
      }))}
    />
  )
}

type HoursChartProps = { days: StartFigures['days']; of: 'turnover' | 'payouts' }

/** An amount since each day's beginning, of today, yesterday and a week ago. */
export function HoursChart({ days, of }: HoursChartProps) {
  const translate = useTranslate()
  const names = useDays()
  const axis = useHoursAxis(Math.max(1, ...days.map((day) => day.hours.length)))
  if (days.every((day) => day.hours.length === 0)) {
    return <Typography color="textSecondary">{translate('areas.start.noHours')}</Typography>
  }
  const lines = days.map(({ hours }, index) => ({
    data: [0, ...runningFigures(hours).map((sum) => sum[of])],
    id: names[index]?.id ?? '',
    label: names[index]?.name ?? '',
    color: names[index]?.color ?? '',
    showMark: false,
    curve: 'linear' as const,
  }))
  return <Lines axis={axis} yAxis={numberAxis()} lines={lines} show={FIGURE.format} />
}

/** Today's actual return, hour by hour, with the theoretical one and the band of 999 of 1,000 days. */
export function ReturnChart({ hours }: { hours: readonly WireFigures[] }) {
  const translate = useTranslate()
  const { palette } = useTheme()
  const axis = useHoursAxis(Math.max(1, hours.length))
  const sums = runningFigures(hours)
  if (sums.length === 0) {
    return <Typography color="textSecondary">{translate('areas.start.noHours')}</Typography>
  }
  function line(name: string, color: string, of: (sum: (typeof sums)[number]) => number) {
    // There is no return before the first stake.
    const data = [null, ...sums.map((sum) => (sum.turnover > 0 ? of(sum) / sum.turnover : null))]
    const label = translate(`areas.start.lines.${name}`)
    // A single point is not a line.
    const showMark = data.filter((value) => value !== null).length === 1
    return { id: name, data, label, color, showMark, curve: 'linear' as const }
  }
  const reach = ({ variance }: (typeof sums)[number]) => DEVIATIONS * Math.sqrt(variance)
  const lines = [
    line('fact', palette.primary.main, (sum) => sum.payouts),
    line('theory', palette.text.secondary, (sum) => sum.expected),
    line('low', palette.text.disabled, (sum) => Math.max(0, sum.expected - reach(sum))),
    line('high', palette.text.disabled, (sum) => sum.expected + reach(sum)),
  ]
  const yAxis = { width: 64, min: 0, valueFormatter: percent }
  return <Lines axis={axis} yAxis={yAxis} lines={lines} show={percent} />
}

type LinesProps = {
  axis: ReturnType<typeof useHoursAxis>
  yAxis: ReturnType<typeof numberAxis>
  lines: readonly { id: string; label: string; data: (number | null)[]; color: string }[]
  show: (value: number) => string
}

/** A chart of lines by hours, with its figures. */
function Lines({ axis, yAxis, lines, show }: LinesProps) {
  return (
    <>
      <LineChart
        height={HEIGHT}
        skipAnimation
        xAxis={[axis]}
        yAxis={[yAxis]}
        series={lines}
        sx={DASHES}
      />
      <ChartFigures axis={axis.label} points={axis.data} series={lines} show={show} />
    </>
  )
}

type ChartFiguresProps = {
  /** What the points are: a key of the catalogs, or its text. */
  axis: string
  points: readonly (string | number)[]
  series: readonly { label: string; data: readonly (number | null)[] }[]
  show?: (value: number) => string
}

/** The figures of a chart as a table, which is shown on demand. */
function ChartFigures({ axis, points, series, show = FIGURE.format }: ChartFiguresProps) {
  const translate = useTranslate()
  return (
    <Box component="details" sx={{ overflowX: 'auto', typography: 'body2' }}>
      <summary>{translate('areas.start.asTable')}</summary>
      <PlainTable
        rows={points.map((point, at) => ({ point, at }))}
        keyOf={({ at }) => at}
        columns={[
          { heading: axis, show: ({ point }) => point },
          ...series.map(({ label, data }) => ({
            heading: label,
            show: ({ at }: { at: number }) => {
              const value = data[at] ?? null
              return value === null ? null : show(value)
            },
            right: true,
          })),
        ]}
      />
    </Box>
  )
}

const MICRO = 1_000_000
const FIGURE = new Intl.NumberFormat(TAG, { maximumFractionDigits: 2 })
const COMPACT = new Intl.NumberFormat(TAG, { notation: 'compact' })

/** How each line is drawn, for those to whom its colour says nothing. */
const DASHES = {
  '& [data-series=yesterday], & [data-series=theory]': { strokeDasharray: '8 4' },
  '& :is([data-series=lastWeek], [data-series=low], [data-series=high])': {
    strokeDasharray: '2 3',
  },
  '& .MuiLineChart-mark': { strokeDasharray: 'none' },
  '& .MuiChartsLabelMark-fill': { strokeLinecap: 'butt' },
}

/** The height of each chart, in pixels. */
const HEIGHT = 240

/** An amount of the wire as a number of u, for drawing. */
export function unitsOf(amount: string): number {
  return Number(amountFromWire(amount)) / MICRO
}

/** An axis of amounts or counts. */
function numberAxis() {
  return { width: 64, valueFormatter: (value: number) => COMPACT.format(value) }
}

/** The names of today, yesterday and a week ago, and the colour of each. */
function useDays(): readonly { id: string; name: string; color: string }[] {
  const translate = useTranslate()
  const { palette } = useTheme()
  return [
    { id: 'today', name: translate('areas.start.days.today'), color: palette.primary.main },
    {
      id: 'yesterday',
      name: translate('areas.start.days.yesterday'),
      color: palette.text.secondary,
    },
    { id: 'lastWeek', name: translate('areas.start.days.lastWeek'), color: palette.warning.main },
  ]
}

/** The axis of the hours since the beginning of a day: one point for the beginning, and one for each hour. */
function useHoursAxis(hours: number) {
  const translate = useTranslate()
  return {
    data: Array.from({ length: hours + 1 }, (_, hour) => hour),
    label: translate('areas.start.hours'),
    min: 0,
    tickMinStep: 1,
  }
}

/**
 * The figures from the day's beginning to the end of each hour, in u. Rounds are drawn apart from each other,
 * so their variances add up.
 */
export function runningFigures(hours: readonly WireFigures[]) {
  const sum = { turnover: 0, payouts: 0, expected: 0, variance: 0 }
  return hours.map(({ turnover, payouts, expected, deviation }) => {
    sum.turnover += unitsOf(turnover)
    sum.payouts += unitsOf(payouts)
    sum.expected += unitsOf(expected)
    sum.variance += unitsOf(deviation) ** 2
    return { ...sum }
  })
}
