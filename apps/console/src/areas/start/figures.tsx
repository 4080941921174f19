import { Card, Stack, Typography } from '@mui/material'
import type { ReactNode } from 'react'
import { useTranslate } from 'react-admin'
import {
  DaysChart,
  HoursChart,
  ReturnChart,
  RoomsChart,
  unitsOf,
} from '#src/areas/start/charts.tsx'
import { Grid } from '#src/areas/start/grid.tsx'
import { percent, returnBand, type StartFigures } from '#src/areas/start/return-band.ts'
import { PlainTable } from '#src/parts/plain-table.tsx'
import { dayText, MoneyText } from '#src/parts/values.tsx'

/** The day so far, compared with yesterday and a week ago up to the same time of day. */
export function Figures({ figures }: { figures: StartFigures }) {
  const translate = useTranslate()
  const { days } = figures
  const [today] = days
  if (!today || days.length < 3) return null
  return (
    <>
      <Typography variant="h2">
        {translate('areas.start.today', { day: dayText(today.day) })}
      </Typography>
      <Grid>
        <Tile name="turnover" days={days} of={({ so_far }) => so_far.turnover} />
        <Tile name="payouts" days={days} of={({ so_far }) => so_far.payouts} />
        <ReturnTile figures={today.so_far} />
        <Tile name="deposits" days={days} of={({ deposits }) => deposits} whole />
        <Tile name="withdrawals" days={days} of={({ withdrawals }) => withdrawals} whole />
        <Tile name="players" days={days} of={({ players }) => players} whole />
        <Tile name="robots" days={days} of={({ robots }) => robots} whole />
      </Grid>
      <Grid width={480}>
        <Picture name="turnoverByHour">
          <HoursChart days={days} of="turnover" />
        </Picture>
        <Picture name="payoutsByHour">
          <HoursChart days={days} of="payouts" />
        </Picture>
        <Picture name="returnByHour">
          <ReturnChart hours={today.hours} />
        </Picture>
        <Picture name="moneyByDay">
          <DaysChart
            days={days}
            series={[
              { name: 'deposits', of: ({ deposits }) => unitsOf(deposits) },
              { name: 'withdrawals', of: ({ withdrawals }) => unitsOf(withdrawals) },
            ]}
          />
        </Picture>
        <Picture name="playersByDay">
          <DaysChart days={days} series={[{ name: 'players', of: ({ players }) => players }]} />
        </Picture>
        <Picture name="turnoverByRoom">
          <RoomsChart rooms={figures.rooms} />
        </Picture>
        <Card sx={{ padding: 2, overflow: 'auto', gridColumn: '1 / -1' }}>
          <Typography variant="h3">{translate('areas.start.byRoom')}</Typography>
          <RoomTable rooms={figures.rooms} />
        </Card>
      </Grid>
    </>
  )
}

/** A chart with its heading. */
function Picture({ name, children }: { name: string; children: ReactNode }) {
  const translate = useTranslate()
  const title = translate(`areas.start.${name}`)
  return (
    <Card component="figure" sx={{ padding: 2, margin: 0 }} aria-label={title}>
      <Typography variant="h3">{title}</Typography>
      {children}
    </Card>
  )
}

function ReturnTile({ figures }: { figures: StartFigures['days'][number]['so_far'] }) {
  const translate = useTranslate()
  const band = returnBand(figures)
  return (
    <Card sx={{ padding: 2 }}>
      <Typography variant="body2" color="textSecondary">
        {translate('areas.start.return')}
      </Typography>
      <Typography
        className="num"
        sx={{ fontSize: 'var(--text-title)', fontWeight: 'var(--weight-bold)' }}
        color={band && !band.within ? 'warning' : 'textPrimary'}
      >
        {band ? percent(band.fact) : '—'}
      </Typography>
      {band && (
        <Stack sx={{ margin: 0, fontSize: 'var(--text-caption)', color: 'text.secondary' }}>
          <span>{translate('areas.start.theory', { theory: percent(band.theory) })}</span>
          <span>
            {translate('areas.start.band', { low: percent(band.low), high: percent(band.high) })}
          </span>
        </Stack>
      )}
      <Typography variant="body2" color="textSecondary">
        {translate('areas.start.expected')} <MoneyText value={figures.expected} />
      </Typography>
    </Card>
  )
}

type TileProps = {
  name: string
  days: StartFigures['days']
  /** The figure of a day: an amount of the wire, or a number. */
  of: (day: StartFigures['days'][number]) => string | number
  /** Whether the earlier ones are of whole days, not only up to the same time. */
  whole?: boolean
}

/** One figure of today, compared with yesterday and a week ago. */
function Tile({ name, days, of, whole = false }: TileProps) {
  const translate = useTranslate()
  const [now = 0, yesterday = 0, lastWeek = 0] = days.map(of)
  const at = whole ? 'areas.start.wholeDay' : 'areas.start.sameTime'
  return (
    <Card sx={{ padding: 2 }}>
      <Typography variant="body2" color="textSecondary">
        {translate(`areas.start.${name}`)}
      </Typography>
      <Typography sx={{ fontSize: 'var(--text-title)', fontWeight: 'var(--weight-bold)' }}>
        <Value value={now} />
      </Typography>
      <Typography variant="caption" component="div" color="textSecondary">
        {translate(`${at}.yesterday`)} <Value value={yesterday} />
      </Typography>
      <Typography variant="caption" component="div" color="textSecondary">
        {translate(`${at}.lastWeek`)} <Value value={lastWeek} />
      </Typography>
    </Card>
  )
}

function Value({ value }: { value: string | number }) {
  return typeof value === 'string' ? (
    <MoneyText value={value} />
  ) : (
    <span className="num">{value}</span>
  )
}

/** Today by game and room. */
function RoomTable({ rooms }: { rooms: StartFigures['rooms'] }) {
  const translate = useTranslate()
  if (rooms.length === 0) {
    return <Typography color="textSecondary">{translate('areas.start.noRounds')}</Typography>
  }
  return (
    <PlainTable
      rows={rooms}
      keyOf={(figures) => figures.room_id}
      columns={[
        { heading: 'areas.start.game', show: ({ game }) => game },
        { heading: 'areas.start.room', show: ({ room }) => room },
        amount('turnover', ({ turnover }) => turnover),
        amount('sameTime.yesterday', ({ before }) => before[0]),
        amount('sameTime.lastWeek', ({ before }) => before[1]),
        amount('payouts', ({ payouts }) => payouts),
        { heading: 'areas.start.return', show: returnText, right: true },
      ]}
    />
  )
}

type RoomFigures = StartFigures['rooms'][number]

function amount(name: string, of: (figures: RoomFigures) => string | undefined) {
  const show = (figures: RoomFigures) => {
    const value = of(figures)
    return value && <MoneyText value={value} />
  }
  return { heading: `areas.start.${name}`, show, right: true }
}

/** The return, and the band in which chance alone would hold it; null without bets. */
function returnText(figures: RoomFigures): string | null {
  const band = returnBand(figures)
  return band && `${percent(band.fact)} (${percent(band.low)}–${percent(band.high)})`
}
