import { Stack } from '@mui/material'
import {
  confirmWithdrawalReturn,
  proposeWithdrawalReturn,
  refuseWithdrawalReturn,
  type StaffWithdrawal,
} from '@sum28/contract/staff-routes.ts'
import type { ReactNode } from 'react'
import { useTranslate } from 'react-admin'
import { useSession } from '#src/data/session.ts'
import { ActionButton } from '#src/parts/action-button.tsx'

/** Proposes to return an approved withdrawal that cannot be paid. */
export function ProposeWithdrawalReturn({ id, children }: { id: number; children: ReactNode }) {
  const translate = useTranslate()
  return (
    <ActionButton
      route={proposeWithdrawalReturn}
      request={{ id }}
      label="areas.money.returnUnpaid"
      done="areas.money.unpaidProposed"
      tone="error"
      fields={[
        { name: 'reason', label: 'areas.money.reason', hint: 'areas.money.seen', long: true },
      ]}
    >
      {children}
      <p>{translate('areas.money.returnUnpaidSays')}</p>
    </ActionButton>
  )
}

/** The actions on such a proposal: a person other than its proposer returns the money. */
export function DecideWithdrawalReturn({
  withdrawal: { id, return_proposed_by: proposer, return_reason: reason },
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
          route={confirmWithdrawalReturn}
          request={{ id }}
          label="areas.money.confirmUnpaid"
          done="areas.money.unpaidReturned"
        >
          {what}
          <p>{translate('areas.money.returnUnpaidSays')}</p>
        </ActionButton>
      )}
      <ActionButton
        route={refuseWithdrawalReturn}
        request={{ id }}
        label="areas.money.refuse"
        done="areas.money.unpaidRefused"
        tone="error"
        fields={[{ name: 'reason', label: 'areas.money.reason', long: true }]}
      >
        {what}
      </ActionButton>
    </Stack>
  )
}
