import { Card, Chip, Stack, Typography } from '@mui/material'
import { oneRound, type RoundPage as Round } from '@sum28/contract/staff-timeline-routes.ts'
import { useTranslate } from 'react-admin'
import { useParams } from 'react-router'
import { RoundBets } from '#src/areas/games/round-bets.tsx'
import { ROUND_TONES } from '#src/areas/games/round-parts.tsx'
import { RoundProof } from '#src/areas/games/round-proof.tsx'
import { RoundSteps } from '#src/areas/games/round-steps.tsx'
import { VoidRound } from '#src/areas/games/void-round.tsx'
import { useReply } from '#src/data/use-reply.ts'
import { Loaded } from '#src/parts/loaded.tsx'
import { Page } from '#src/parts/page.tsx'

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
        <VoidRound round={round} />
      </Stack>
      <Card sx={{ padding: 3 }}>
        <RoundSteps round={round} />
      </Card>
      <RoundBets round={round} />
      <RoundProof round={round} />
    </>
  )
}
