import {
  Box,
  Card,
  Chip,
  Stack,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  Typography,
} from '@mui/material'
import { oneRound, type RoundPage as Round } from '@sum28/contract/staff-timeline-routes.ts'
import { useTranslate } from 'react-admin'
import { Link, useParams } from 'react-router'
import { ProposeVoid } from '#src/areas/games/propose-void.tsx'
import { NotWitnessed, ROUND_TONES } from '#src/areas/games/round-parts.tsx'
import { RoundProof } from '#src/areas/games/round-proof.tsx'
import { RoundSteps } from '#src/areas/games/round-steps.tsx'
import { ProposalsAbout } from '#src/areas/proposals/proposal-parts.tsx'
import { useReply } from '#src/data/use-reply.ts'
import { Loaded } from '#src/parts/loaded.tsx'
import { Page } from '#src/parts/page.tsx'
import { MoneyText } from '#src/parts/values.tsx'

/** How often a running round is fetched again. */
const LIVE = { everyMs: 3_000 }

/** One round: its times, its bets, its proof, and the form that voids it. Its id is `<game>-<round>`. */
export function RoundPage() {
  const [gameId = '', issue = ''] = (useParams().id ?? '').split('-')
  const answer = useReply(oneRound, { game_id: Number(gameId), issue }, LIVE)
  return (
    <Page title="areas.games.round">
      <Loaded answer={answer}>{(round) => <RoundParts round={round} />}</Loaded>
    </Page>
  )
}

function RoundParts({ round }: { round: Round }) {
  const translate = useTranslate()
  return (
    <>
      <Stack direction="row" sx={{ gap: 2, alignItems: 'center', flexWrap: 'wrap' }}>
        <Typography variant="h2">
          {round.game} <span className="num">{round.issue}</span>
        </Typography>
        <Chip
          size="small"
          variant="outlined"
          color={ROUND_TONES[round.state] ?? 'default'}
          label={translate(`areas.games.roundState.${round.state}`)}
        />
        <NotWitnessed round={round} />
        <ProposeVoid round={round} />
      </Stack>
      <ProposalsAbout request={{ subject: `round:${round.game_id}:${round.issue}` }} />
      <Card sx={{ padding: 3 }}>
        <RoundSteps round={round} />
      </Card>
      <RoundBets round={round} />
      <RoundProof round={round} />
    </>
  )
}

const SUMS = ['staked', 'paid', 'refunded'] as const

/** The stakes of a round, by room, of players and of robots. */
function RoundBets({ round: { rooms, game_id: gameId, issue } }: { round: Round }) {
  const translate = useTranslate()
  return (
    <Card sx={{ padding: 2 }}>
      <Typography variant="h6" component="h2">
        {translate('areas.games.bets')}
      </Typography>
      <Link to={`/bets?filter=${encodeURIComponent(JSON.stringify({ game_id: gameId, issue }))}`}>
        {translate('areas.games.betsOfRound')}
      </Link>
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
