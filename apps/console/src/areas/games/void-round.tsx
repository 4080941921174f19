import { Stack, Typography } from '@mui/material'
import { confirmVoid, proposeVoid } from '@sum28/contract/staff-round-routes.ts'
import type { RoundPage } from '@sum28/contract/staff-timeline-routes.ts'
import { useTranslate } from 'react-admin'
import { canBeVoided } from '#src/areas/games/round-parts.tsx'
import { useSession } from '#src/data/session.ts'
import { ActionButton } from '#src/parts/action-button.tsx'
import { MomentText } from '#src/parts/values.tsx'

/** Voids a round before its end: one person proposes, another confirms. Empty if it is too late. */
export function VoidRound({ round }: { round: RoundPage }) {
  const translate = useTranslate()
  const self = useSession()?.name
  const { proposal } = round
  const request = { game_id: round.game_id, issue: round.issue }
  const proposed = proposal && (
    <Typography component="span">
      {translate('areas.games.voidProposedBy', { name: proposal.by })} {proposal.note} ·{' '}
      <MomentText at={proposal.at} />
      {proposal.confirmed_by &&
        ` · ${translate('areas.games.voidConfirmedBy', { name: proposal.confirmed_by })}`}
    </Typography>
  )
  if (!canBeVoided(round)) return proposed
  return (
    <Stack direction="row" sx={{ gap: 2, alignItems: 'center', flexWrap: 'wrap' }}>
      {proposed}
      {!proposal && (
        <ActionButton
          route={proposeVoid}
          request={request}
          label="areas.games.proposeVoid"
          done="areas.games.voidProposed"
          tone="error"
          fields={[{ name: 'note', label: 'areas.games.reason', long: true }]}
        >
          {translate('areas.games.voidText')}
        </ActionButton>
      )}
      {proposal && proposal.by !== self && (
        <ActionButton
          route={confirmVoid}
          request={request}
          label="areas.games.confirmVoid"
          done="areas.games.voided"
          tone="error"
        >
          {translate('areas.games.confirmVoidText', { reason: proposal.note })}
        </ActionButton>
      )}
    </Stack>
  )
}
