import { Stack } from '@mui/material'
import {
  confirmReversal,
  proposeReversal,
  refuseReversal,
  type StaffWithdrawal,
} from '@sum28/contract/staff-routes.ts'
import type { ReactNode } from 'react'
import { useTranslate } from 'react-admin'
import { useSession } from '#src/data/session.ts'
import { ActionButton } from '#src/parts/action-button.tsx'

/** Proposes to return an approved withdrawal that cannot be paid. */
export function ProposeReversal({ id, children }: { id: number; children: ReactNode }) {
  const translate = useTranslate()
  return (
    <ActionButton
      route={proposeReversal}
      request={{ id }}
      label="areas.money.reverseWithdrawal"
      done="areas.money.reversalProposed"
      tone="error"
      fields={[
        { name: 'reason', label: 'areas.money.reason', hint: 'areas.money.seen', long: true },
      ]}
    >
      {children}
      <p>{translate('areas.money.reversalSays')}</p>
    </ActionButton>
  )
}

/** The actions on such a proposal: a person other than its proposer returns the money. */
export function DecideReversal({
  withdrawal: { id, reversal_proposed_by: proposer, reversal_reason: reason },
  children,
}: {
  withdrawal: StaffWithdrawal
  children: ReactNode
}) {
  const translate = useTranslate()
  const self = useSession()?.name
  const what = (
    <>
      {children}
      <p>{translate('areas.money.proposedBy', { name: proposer ?? '' })}</p>
      <p>{reason}</p>
    </>
  )
  return (
    <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 1 }}>
      {proposer !== self && (
        <ActionButton
          route={confirmReversal}
          request={{ id }}
          label="areas.money.confirmReversal"
          done="areas.money.isReversed"
        >
          {what}
          <p>{translate('areas.money.reversalSays')}</p>
        </ActionButton>
      )}
      <ActionButton
        route={refuseReversal}
        request={{ id }}
        label={proposer === self ? 'areas.proposals.withdraw' : 'areas.money.refuse'}
        done="areas.money.reversalRefused"
        tone="error"
        fields={[{ name: 'reason', label: 'areas.money.reason', long: true }]}
      >
        {what}
      </ActionButton>
    </Stack>
  )
}
