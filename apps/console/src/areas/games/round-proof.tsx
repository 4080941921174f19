import { Box, Button, Card, Stack, Typography } from '@mui/material'
import type { RoundPage } from '@sum28/contract/staff-timeline-routes.ts'
import { useTranslate } from 'react-admin'

/** The published data of a round, as a list and as the file for the verifier. */
export function RoundProof({ round: { proof, id } }: { round: RoundPage }) {
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
            <Typography
              component="dd"
              variant="body2"
              className="num"
              sx={{ margin: 0, whiteSpace: 'normal', overflowWrap: 'anywhere' }}
            >
              {value ?? translate('areas.games.notYet')}
            </Typography>
          </Box>
        ))}
      </Box>
    </Card>
  )
}
