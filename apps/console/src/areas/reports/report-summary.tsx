import { Alert, Button, Card, Stack, Typography } from '@mui/material'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { reportTotals } from '@sum28/contract/staff-reports-routes.ts'
import type { ReactNode } from 'react'
import { useListContext, useTranslate } from 'react-admin'
import { Link } from 'react-router'
import { addressOf, PERIODS, periodOf } from '#src/areas/reports/periods.ts'
import { ReturnText } from '#src/areas/reports/return-text.tsx'
import { Grid } from '#src/areas/start/grid.tsx'
import { useZone } from '#src/data/session.ts'
import { useReply } from '#src/data/use-reply.ts'
import { Loaded } from '#src/parts/loaded.tsx'
import { dayText, MoneyText } from '#src/parts/values.tsx'

/** The amounts of bets, and those of money that a report has by day and by player alone. */
export const PLAY = ['turnover', 'payouts', 'result'] as const
export const MONEY = ['deposits', 'withdrawals', 'adjustments'] as const

/** Above the rows: the periods, and the figures of the whole report. */
export function ReportSummary({ today }: { today: string }) {
  const { filterValues } = useListContext()
  const totals = useReply(reportTotals, filterValues)
  return (
    <Stack sx={{ gap: 2, paddingBlock: '8px 16px' }}>
      <PeriodButtons today={today} />
      <Loaded answer={totals}>{(totals) => <Totals totals={totals} />}</Loaded>
    </Stack>
  )
}

/** Links to the same report of common periods. @param props `path`: the report's */
export function PeriodButtons({ today, path }: { today: string; path?: string }) {
  const translate = useTranslate()
  const { filterValues } = useListContext()
  return (
    <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 1 }}>
      {PERIODS.map((name) => (
        <Button
          key={name}
          size="small"
          component={Link}
          to={addressOf({ ...filterValues, ...periodOf(name, today) }, path)}
        >
          {translate(`areas.reports.period.${name}`)}
        </Button>
      ))}
    </Stack>
  )
}

function Totals({ totals }: { totals: ReplyOf<typeof reportTotals> }) {
  const translate = useTranslate()
  const zone = useZone()
  const { begin_date: begin, end_date: end } = totals
  return (
    <>
      <Typography variant="h2">
        {translate('areas.reports.whole', { begin: dayText(begin), end: dayText(end), zone })}
      </Typography>
      <Grid width={170}>
        {PLAY.map((name) => (
          <Figure key={name} name={name}>
            <MoneyText value={totals[name]} />
          </Figure>
        ))}
        <Figure name="return">
          <ReturnText figures={totals} />
        </Figure>
        <Figure name="bets">
          <span className="num">{totals.bets}</span>
        </Figure>
        {MONEY.map((name) => {
          const value = totals[name]
          if (value === null) return null
          return (
            <Figure key={name} name={name}>
              <MoneyText value={value} />
            </Figure>
          )
        })}
      </Grid>
      <Alert severity="info">{translate('areas.reports.meaning')}</Alert>
    </>
  )
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  const translate = useTranslate()
  return (
    <Card sx={{ padding: 2 }}>
      <Typography variant="body2" color="textSecondary">
        {translate(`resources.reports.fields.${name}`)}
      </Typography>
      <Typography component="div" sx={{ fontWeight: 'var(--weight-bold)' }}>
        {children}
      </Typography>
    </Card>
  )
}
