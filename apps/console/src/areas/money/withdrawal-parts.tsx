import { Stack } from '@mui/material'
import {
  approveWithdrawal,
  recordPayout,
  rejectWithdrawal,
  type StaffWithdrawal,
} from '@sum28/contract/staff-routes.ts'
import { useTranslate } from 'react-admin'
import { DecideReversal, ProposeReversal } from '#src/areas/money/reverse-withdrawal.tsx'
import { useSession } from '#src/data/session.ts'
import { ActionButton } from '#src/parts/action-button.tsx'
import { MoneyText } from '#src/parts/values.tsx'

/** The actions on a withdrawal: approve or reject it, record its payout, or return it. */
export function DecideWithdrawal({ withdrawal: record }: { withdrawal: StaffWithdrawal }) {
  const translate = useTranslate()
  const self = useSession()?.name
  const { id, username, state, two_persons: two, first_approved_by: first } = record
  const requestedBySelf = record.requested_by === self
  const what = (
    <>
      {username}: <MoneyText value={record.quantity} />
      {two && (
        <p>{translate(first ? 'areas.money.secondOf' : 'areas.money.two', { name: first })}</p>
      )}
    </>
  )
  if (state === 'waiting') {
    return (
      <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 1 }}>
        {requestedBySelf && <span>{translate('areas.money.askedByYou')}</span>}
        {!record.frozen && !requestedBySelf && first !== self && (
          <ActionButton
            route={approveWithdrawal}
            request={{ id }}
            label="areas.money.approve"
            done="areas.money.approved"
          >
            {what}
          </ActionButton>
        )}
        <ActionButton
          route={rejectWithdrawal}
          request={{ id }}
          label="areas.money.reject"
          done="areas.money.rejected"
          tone="error"
          fields={[
            { name: 'reason', label: 'areas.money.reason', hint: 'areas.money.seen', long: true },
          ]}
        >
          {what}
        </ActionButton>
      </Stack>
    )
  }
  if (state === 'reversing') {
    return <DecideReversal withdrawal={record}>{what}</DecideReversal>
  }
  if (state === 'approved' && record.payout_reference === null) {
    // The bank may still pay it.
    if (record.at_bank) return translate('areas.money.atBank')
    return (
      <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 1 }}>
        <ActionButton
          route={recordPayout}
          request={{ id }}
          label="areas.money.pay"
          done="areas.money.paid"
          fields={[{ name: 'reference', label: 'areas.money.reference' }]}
        >
          {what}
        </ActionButton>
        <ProposeReversal id={id}>{what}</ProposeReversal>
      </Stack>
    )
  }
  if (record.payout_reference === null) return null
  return <span className="num">{record.payout_reference}</span>
}

/** A payee in one line: a card's number masked, a wallet's address in full. */
export function PayeeText({ payee }: { payee: StaffWithdrawal['payee'] }) {
  const { label, bank_name: bank, number } = payee
  return (
    <>
      {[label, bank].filter(Boolean).join(', ')} <span className="num">{number}</span>
    </>
  )
}
