import { Stack } from '@mui/material'
import {
  ADJUSTMENT_KINDS,
  type Adjustment,
  confirmAdjustment,
  endAdjustment,
  proposeAdjustment,
} from '@sum28/contract/staff-adjustment-routes.ts'
import { useTranslate } from 'react-admin'
import { useSession } from '#src/data/session.ts'
import { ActionButton, type ActionField } from '#src/parts/action-button.tsx'
import { MoneyText } from '#src/parts/values.tsx'

/** An adjustment's amount with its sign. */
export function AdjustedMoney({ adjustment }: { adjustment: Adjustment }) {
  const { kind, quantity } = adjustment
  return <MoneyText value={kind === 'debit' ? `-${quantity}` : quantity} plus />
}

/** The actions on an adjustment; its proposer can withdraw it, but not confirm it. */
export function DecideAdjustment({ adjustment }: { adjustment: Adjustment }) {
  const translate = useTranslate()
  const self = useSession()?.name
  const { id, state, kind, username, reason, proposed_by: proposer } = adjustment
  if (state !== 'proposed') return null
  const own = proposer === self
  const what = (
    <>
      {username}: <AdjustedMoney adjustment={adjustment} /> (
      {translate(`areas.money.adjustmentKind.${kind}`)})
      <br />
      {reason}
    </>
  )
  return (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
      {!own && (
        <ActionButton
          route={confirmAdjustment}
          request={{ id }}
          label="areas.money.confirmAdjustment"
          done="areas.money.adjustmentConfirmed"
        >
          {what}
          <br />
          {translate('areas.money.proposedBy', { name: proposer })}
        </ActionButton>
      )}
      <ActionButton
        route={endAdjustment}
        request={{ id }}
        label={own ? 'areas.money.withdrawProposal' : 'areas.money.refuse'}
        done={own ? 'areas.money.proposalWithdrawn' : 'areas.money.proposalRefused'}
        tone="error"
        fields={[{ name: 'reason', label: 'areas.money.reason', long: true }]}
      >
        {what}
      </ActionButton>
    </Stack>
  )
}

const FIELDS: readonly ActionField[] = [
  {
    name: 'kind',
    label: 'areas.money.adjustmentKindLabel',
    choices: ADJUSTMENT_KINDS.map((value) => ({
      value,
      label: `areas.money.adjustmentKind.${value}`,
    })),
    initial: 'bonus',
  },
  { name: 'money', label: 'areas.money.amount' },
  { name: 'reason', label: 'areas.money.reason', hint: 'areas.money.seen', long: true },
]

const PLAYER: ActionField = { name: 'user_id', label: 'areas.money.playerId' }

/** Proposes a bonus or a correction: for the given player, or for a typed one. */
export function ProposeAdjustment({ player }: { player?: { id: number; username: string } }) {
  return (
    <ActionButton
      route={proposeAdjustment}
      request={player ? { user_id: player.id } : {}}
      label="areas.money.proposeAdjustment"
      done="areas.money.adjustmentProposed"
      fields={player ? FIELDS : [PLAYER, ...FIELDS]}
    >
      {player?.username}
    </ActionButton>
  )
}
