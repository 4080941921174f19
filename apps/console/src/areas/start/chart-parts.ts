/** Parts that the charts of the start page share. */
import { useTheme } from '@mui/material'
import type { WireFigures } from '@sum28/contract/staff-start-routes.ts'
import { amountFromWire } from '@sum28/domain/money.ts'
import { useTranslate } from 'react-admin'
import { TAG } from '#src/parts/money.tsx'

const MICRO = 1_000_000
const COMPACT = new Intl.NumberFormat(TAG, { notation: 'compact' })

/** The height of each chart, in pixels. */
export const HEIGHT = 240

/** An amount of the wire as a number of u, for drawing. */
export function unitsOf(amount: string): number {
  return Number(amountFromWire(amount)) / MICRO
}

/** An axis of amounts or counts. */
export function numberAxis() {
  return { width: 64, min: 0, valueFormatter: (value: number) => COMPACT.format(value) }
}

/** The names of today, yesterday and a week ago, and the colour of each. */
export function useDays(): readonly { name: string; color: string }[] {
  const translate = useTranslate()
  const { palette } = useTheme()
  return [
    { name: translate('areas.start.days.today'), color: palette.primary.main },
    { name: translate('areas.start.days.yesterday'), color: palette.text.secondary },
    { name: translate('areas.start.days.lastWeek'), color: palette.warning.main },
  ]
}

/** The axis of the hours since the beginning of a day: one point for the beginning, and one for each hour. */
export function useHoursAxis(hours: number) {
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
