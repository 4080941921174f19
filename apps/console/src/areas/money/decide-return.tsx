import { Stack } from '@mui/material'
import {
  confirmReturn,
  type HeldDeposit,
  proposeReturn,
  refuseReturn,
} from '@sum28/contract/staff-money-routes.ts'
import { useTranslate } from 'react-admin'
import { useSession } from '#src/data/session.ts'
import { ActionButton, type ActionField } from '#src/parts/action-button.tsx'
import { MoneyText } from '#src/parts/values.tsx'

const REASON: ActionField = { name: 'reason', label: 'areas.money.reason', long: true }

/** The actions on a held deposit: one person proposes to pay it back, and another pays it and confirms. */
export function DecideReturn({ deposit }: { deposit: HeldDeposit }) {
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
        route={proposeReturn}
        request={{ id }}
        label="areas.money.proposeReturn"
        done="areas.money.returnProposed"
        fields={[REASON]}
      >
        {what}
      </ActionButton>
    )
  }
  if (state !== 'returning') return null
  return (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
      {proposer !== self && (
        <ActionButton
          route={confirmReturn}
          request={{ id }}
          label="areas.money.confirmReturn"
          done="areas.money.isReturned"
          fields={[{ name: 'reference', label: 'areas.money.paymentReference' }]}
        >
          {what}
          <br />
          {translate('areas.money.returnBy', { name: proposer ?? '' })}
        </ActionButton>
      )}
      <ActionButton
        route={refuseReturn}
        request={{ id }}
        label="areas.money.refuse"
        done="areas.money.returnRefused"
        tone="error"
        fields={[REASON]}
      >
        {what}
      </ActionButton>
    </Stack>
  )
}
