/** Common periods of reports, as days of the operator's zone. */
import { addDays } from '@sum28/domain/schedule.ts'

export type Period = { readonly begin_date: string; readonly end_date: string }

export const PERIODS = ['today', 'yesterday', 'week', 'thirty', 'month', 'lastMonth'] as const
export type PeriodName = (typeof PERIODS)[number]

/** The default period. */
export const USUAL: PeriodName = 'week'

/** @param today `YYYY-MM-DD` */
export function periodOf(name: PeriodName, today: string): Period {
  const firstOfMonth = `${today.slice(0, 8)}01`
  const lastOfEarlier = addDays(firstOfMonth, -1)
  const from = (begin_date: string, end_date = today) => ({ begin_date, end_date })
  switch (name) {
    case 'today':
      return from(today)
    case 'yesterday':
      return from(addDays(today, -1), addDays(today, -1))
    case 'week':
      return from(addDays(today, -6))
    case 'thirty':
      return from(addDays(today, -29))
    case 'month':
      return from(firstOfMonth)
    case 'lastMonth':
      return from(`${lastOfEarlier.slice(0, 8)}01`, lastOfEarlier)
  }
}

/** The address of a report; it names the period, so that it shows the same tomorrow. */
export function addressOf(filter: Readonly<Record<string, unknown>>, path = '/reports'): string {
  return `${path}?filter=${encodeURIComponent(JSON.stringify(filter))}`
}
