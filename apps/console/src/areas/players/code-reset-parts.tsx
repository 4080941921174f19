/** The decision on a proposal to delete a security code. */
import { Card, Stack, Typography } from '@mui/material'
import {
  type CodeReset,
  confirmCodeReset,
  endCodeReset,
  listCodeResets,
} from '@sum28/contract/staff-reset-routes.ts'
import { useTranslate } from 'react-admin'
import { useSession } from '#src/data/session.ts'
import { useReply } from '#src/data/use-reply.ts'
import { ActionButton, type ActionField } from '#src/parts/action-button.tsx'
import { MomentText } from '#src/parts/values.tsx'

const REASON: ActionField = { name: 'reason', label: 'areas.players.reason', long: true }

/** The buttons of a pending proposal; its proposer cannot confirm it. */
export function DecideCodeReset({ reset }: { reset: CodeReset }) {
  const translate = useTranslate()
  const self = useSession()?.name
  const { id, state, username, proposed_by: proposer } = reset
  if (state !== 'proposed') return null
  return (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
      {proposer !== self && (
        <ActionButton
          route={confirmCodeReset}
          request={{ id }}
          label="areas.players.confirmReset"
          done="areas.players.resetConfirmed"
          tone="error"
        >
          {translate('areas.players.confirmResetText', { username })}
        </ActionButton>
      )}
      <ActionButton
        route={endCodeReset}
        request={{ id }}
        label="areas.players.endReset"
        done="areas.players.resetEnded"
        fields={[REASON]}
      >
        {username}
      </ActionButton>
    </Stack>
  )
}

/** The pending proposal about a player, on his page. */
export function WaitingCodeReset({ playerId }: { playerId: number }) {
  const translate = useTranslate()
  const { data } = useReply(listCodeResets, { user_id: playerId, state: 'proposed', limit: 1 })
  const [reset] = data?.list ?? []
  if (!reset) return null
  return (
    <Card sx={{ padding: 2 }}>
      <Typography variant="h6" component="h2">
        {translate('areas.players.resetWaits')}
      </Typography>
      <Typography>{reset.reason}</Typography>
      <Typography variant="body2" color="textSecondary">
        {reset.proposed_by} · <MomentText at={reset.proposed_at} />
      </Typography>
      <DecideCodeReset reset={reset} />
    </Card>
  )
}
