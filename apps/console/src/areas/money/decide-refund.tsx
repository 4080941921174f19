import { Stack } from '@mui/material'
import {
  confirmRefund,
  type HeldDeposit,
  proposeRefund,
  refuseRefund,
} from '@sum28/contract/staff-money-routes.ts'
import { useTranslate } from 'react-admin'
import { useSession } from '#src/data/session.ts'
import { ActionButton, type ActionField } from '#src/parts/action-button.tsx'
import { MoneyText } from '#src/parts/values.tsx'

const REASON: ActionField = { name: 'reason', label: 'areas.money.reason', long: true }

/** The actions on a held deposit: one person proposes to pay it back, and another pays it and confirms. */
export function DecideRefund({ deposit }: { deposit: HeldDeposit }) {
  const translate = useTranslate()
  const self = useSession()?.name
  const { id, state, username, quantity, origin, proposed_by: proposer } = deposit
  const what = (
    <>
      {username}: <MoneyText value={quantity} />
      <br />
      {translate('areas.money.backTo')}: <span style={{ overflowWrap: 'anywhere' }}>{origin}</span>
    </>
  )
  if (state === 'held') {
    return (
      <ActionButton
        route={proposeRefund}
        request={{ id }}
        label="areas.money.proposeRefund"
        done="areas.money.refundProposed"
        fields={[REASON]}
      >
        {what}
      </ActionButton>
    )
  }
  if (state !== 'refunding') return null
  return (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
      {proposer !== self && (
        <ActionButton
          route={confirmRefund}
          request={{ id }}
          label="areas.money.confirmRefund"
          done="areas.money.isRefunded"
          fields={[{ name: 'reference', label: 'areas.money.paymentReference' }]}
        >
          {what}
          <br />
          {translate('areas.money.refundBy', { name: proposer ?? '' })}
        </ActionButton>
      )}
      <ActionButton
        route={refuseRefund}
        request={{ id }}
        label="areas.money.refuse"
        done="areas.money.refundRefused"
        tone="error"
        fields={[REASON]}
      >
        {what}
      </ActionButton>
    </Stack>
  )
}
