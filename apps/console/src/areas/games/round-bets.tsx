import {
  Box,
  Card,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  Typography,
} from '@mui/material'
import type { RoundPage } from '@sum28/contract/staff-timeline-routes.ts'
import { useTranslate } from 'react-admin'
import { MoneyText } from '#src/parts/money.tsx'

const SUMS = ['staked', 'paid', 'refunded'] as const

/** The stakes of a round, by room, of players and of robots. */
export function RoundBets({ round: { rooms } }: { round: RoundPage }) {
  const translate = useTranslate()
  return (
    <Card sx={{ padding: 2 }}>
      <Typography variant="h6" component="h2">
        {translate('areas.games.bets')}
      </Typography>
      {rooms.length === 0 ? (
        <Typography color="textSecondary">{translate('areas.games.noBets')}</Typography>
      ) : (
        <Box sx={{ overflowX: 'auto' }} tabIndex={0}>
          <Table size="small">
            <TableHead>
              <TableRow>
                <TableCell>{translate('areas.games.room')}</TableCell>
                <TableCell>{translate('areas.games.of')}</TableCell>
                <TableCell align="right">{translate('areas.games.bets')}</TableCell>
                {SUMS.map((name) => (
                  <TableCell key={name} align="right">
                    {translate(`areas.games.${name}`)}
                  </TableCell>
                ))}
                <TableCell align="right">{translate('areas.games.notSettled')}</TableCell>
              </TableRow>
            </TableHead>
            <TableBody>
              {rooms.map((room) => (
                <TableRow key={`${room.room_id} ${room.robots}`}>
                  <TableCell>{room.room}</TableCell>
                  <TableCell>
                    {translate(room.robots ? 'areas.games.ofRobots' : 'areas.games.ofPlayers')}
                  </TableCell>
                  <TableCell align="right" className="num">
                    {room.bets}
                  </TableCell>
                  {SUMS.map((name) => (
                    <TableCell key={name} align="right">
                      <MoneyText value={room[name]} />
                    </TableCell>
                  ))}
                  <TableCell align="right" className="num">
                    {room.waiting}
                  </TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </Box>
      )}
    </Card>
  )
}
