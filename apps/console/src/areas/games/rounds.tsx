import { Box, Button, Card, Chip, Stack, Typography } from '@mui/material'
import { proposeVoid } from '@sum28/contract/staff-proposal-routes.ts'
import {
  oneRound,
  ROUND_STATES,
  type RoundPage as Round,
  type TimelineRound,
} from '@sum28/contract/staff-timeline-routes.ts'
import { DateInput, useTranslate } from 'react-admin'
import { Link, useParams } from 'react-router'
import {
  canBeVoided,
  Digits,
  NotWitnessed,
  ROUND_TONES,
  VoidProposed,
} from '#src/areas/games/round-parts.tsx'
import { RoundSteps } from '#src/areas/games/round-steps.tsx'
import { ProposalsAbout } from '#src/areas/proposals/proposal-parts.tsx'
import { useReply } from '#src/data/use-reply.ts'
import { ActionButton, REASON } from '#src/parts/action-button.tsx'
import { Col, LinkCol, MomentCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { dueFilter, GameInput, searchFilter, stateFilter } from '#src/parts/filters.tsx'
import { Loaded } from '#src/parts/loaded.tsx'
import { Page } from '#src/parts/page.tsx'
import { PlainTable, scrolled } from '#src/parts/plain-table.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { MoneyText, StateChip } from '#src/parts/values.tsx'

/** How often a round is fetched again: each time all its bets are added up. Once settled, only its proof may grow. */
const LIVE = {
  everyMs: (round: Round | undefined) => {
    if (!round?.settled_at) return 3_000
    return round.proof.seed && round.proof.log?.end ? null : 60_000
  },
}

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
          color={ROUND_TONES[round.state] ?? 'default'}
          label={translate(`areas.games.roundState.${round.state}`)}
        />
        <NotWitnessed round={round} />
        <ProposeVoid round={round} />
      </Stack>
      <ProposalsAbout request={{ subject: `round:${round.game_id}:${round.issue}` }} />
      <Card sx={{ padding: 2 }}>
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
        <Box sx={{ overflowX: 'auto' }} {...scrolled(translate('areas.games.bets'))}>
          <PlainTable
            rows={rooms}
            keyOf={({ room_id: id, robots }) => `${id} ${robots}`}
            columns={[
              { heading: 'areas.games.room', show: ({ room }) => room },
              {
                heading: 'areas.games.of',
                show: ({ robots }) =>
                  translate(robots ? 'areas.games.ofRobots' : 'areas.games.ofPlayers'),
              },
              { heading: 'areas.games.bets', show: ({ bets }) => bets, right: true },
              ...SUMS.map((name) => ({
                heading: `areas.games.${name}`,
                show: (room: Round['rooms'][number]) => <MoneyText value={room[name]} />,
                right: true,
              })),
              { heading: 'areas.games.notSettled', show: ({ waiting }) => waiting, right: true },
            ]}
          />
        </Box>
      )}
    </Card>
  )
}

/** Proposes to void a round before its end. Empty if it is too late, or proposed. */
function ProposeVoid({ round }: { round: Round }) {
  const translate = useTranslate()
  const { game_id, issue, proposal } = round
  if (proposal || !canBeVoided(round)) return null
  return (
    <ActionButton
      route={proposeVoid}
      request={{ game_id, issue }}
      label="areas.games.proposeVoid"
      done="areas.games.voidProposed"
      tone="error"
      fields={[{ ...REASON, name: 'note' }]}
    >
      {translate('areas.games.voidText')}
    </ActionButton>
  )
}

/** The published data of a round, as a list and as the file for the verifier. */
function RoundProof({ round: { proof, id } }: { round: Round }) {
  const translate = useTranslate()
  const facts = [
    ['commitment', proof.commitment],
    ['chain', `${proof.chain_id} · ${proof.index}`],
    ['bookRoot', proof.book.root],
    ['beaconRound', `${proof.beacon.kind} ${proof.beacon.round}`],
    ['signature', proof.beacon.signature],
    ['randomness', proof.beacon.randomness],
    ['seed', proof.seed],
  ] as const
  return (
    <Card sx={{ padding: 2 }}>
      <Stack direction="row" sx={{ justifyContent: 'space-between', alignItems: 'center' }}>
        <Typography variant="h6" component="h2">
          {translate('areas.games.proof')}
        </Typography>
        <Button
          component="a"
          download={`round-${id}.json`}
          href={`data:application/json;charset=utf-8,${encodeURIComponent(JSON.stringify(proof, null, 2))}`}
        >
          {translate('areas.games.saveProof')}
        </Button>
      </Stack>
      <Box
        component="dl"
        sx={{
          margin: 0,
          display: 'grid',
          gap: 1,
          gridTemplateColumns: 'max-content minmax(0, 1fr)',
        }}
      >
        {facts.map(([name, value]) => (
          <Box key={name} sx={{ display: 'contents' }}>
            <Typography component="dt" variant="body2" color="textSecondary">
              {translate(`areas.games.proofOf.${name}`)}
            </Typography>
            <Typography component="dd" variant="body2" sx={{ margin: 0, overflowWrap: 'anywhere' }}>
              {value ?? translate('areas.games.notYet')}
            </Typography>
          </Box>
        ))}
      </Box>
    </Card>
  )
}

const FILTERS = [
  searchFilter('areas.games.searchRounds'),
  <GameInput key="game_id" source="game_id" label="areas.games.game" alwaysOn />,
  stateFilter(ROUND_STATES, 'areas.games.roundState'),
  <DateInput key="day" source="day" label="areas.games.day" alwaysOn />,
  dueFilter('areas.games.drawLate'),
]

/** The rounds of all games, running and past; each opens its page. */
export function RoundList() {
  return (
    <DataList filters={FILTERS} sort={{ field: 'draws_at', order: 'DESC' }} refreshMs={3_000}>
      <Rows opens>
        <Col source="game" />
        <LinkCol source="issue" />
        <Col
          source="state"
          render={(round: TimelineRound) => (
            <>
              <StateChip source="state" texts="areas.games.roundState" tones={ROUND_TONES} />
              <VoidProposed round={round} />
              <NotWitnessed round={round} />
            </>
          )}
        />
        <MomentCol source="draws_at" sorts />
        <Col
          source="bets"
          align="right"
          render={(round: TimelineRound) => <Book round={round} />}
        />
        <Col source="digits" render={(round: TimelineRound) => <Digits digits={round.digits} />} />
        <MomentCol source="settled_at" />
      </Rows>
    </DataList>
  )
}

/** The book of a voided round is not complete. */
function Book({ round }: { round: TimelineRound }) {
  return <span className="num">{round.bets ?? '—'}</span>
}
