import { Table, TableBody, TableCell, TableHead, TableRow, Typography } from '@mui/material'
import { useTranslate } from 'react-admin'
import type { StartFigures } from '#src/areas/start/return-band.ts'
import { percent, returnBand } from '#src/areas/start/return-band.ts'
import { MoneyText } from '#src/parts/values.tsx'

/** Today by game and room. */
export function RoomTable({ rooms }: { rooms: StartFigures['rooms'] }) {
  const translate = useTranslate()
  if (rooms.length === 0) {
    return <Typography color="textSecondary">{translate('areas.start.noRounds')}</Typography>
  }
  return (
    <Table size="small">
      <TableHead>
        <TableRow>
          <TableCell>{translate('areas.start.game')}</TableCell>
          <TableCell>{translate('areas.start.room')}</TableCell>
          <TableCell align="right">{translate('areas.start.turnover')}</TableCell>
          <TableCell align="right">{translate('areas.start.sameTime.yesterday')}</TableCell>
          <TableCell align="right">{translate('areas.start.sameTime.lastWeek')}</TableCell>
          <TableCell align="right">{translate('areas.start.payouts')}</TableCell>
          <TableCell align="right">{translate('areas.start.return')}</TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {rooms.map((figures) => {
          const band = returnBand(figures)
          return (
            <TableRow key={figures.room_id}>
              <TableCell>{figures.game}</TableCell>
              <TableCell>{figures.room}</TableCell>
              <TableCell align="right">
                <MoneyText value={figures.turnover} />
              </TableCell>
              {figures.before.map((turnover, day) => (
                <TableCell key={day} align="right">
                  <MoneyText value={turnover} />
                </TableCell>
              ))}
              <TableCell align="right">
                <MoneyText value={figures.payouts} />
              </TableCell>
              <TableCell align="right">
                {band ? `${percent(band.fact)} (${percent(band.low)}–${percent(band.high)})` : '—'}
              </TableCell>
            </TableRow>
          )
        })}
      </TableBody>
    </Table>
  )
}
