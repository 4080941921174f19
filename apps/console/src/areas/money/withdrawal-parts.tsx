import { Stack, Typography } from '@mui/material'
import { correctPayout, releaseBankPayment } from '@sum28/contract/staff-bank-routes.ts'
import {
  approveWithdrawal,
  proposeReversal,
  recordPayout,
  rejectWithdrawal,
  type StaffWithdrawal,
} from '@sum28/contract/staff-routes.ts'
import type { ReactNode } from 'react'
import { useTranslate } from 'react-admin'
import { AboutWithdrawal } from '#src/areas/money/withdrawal-hints.tsx'
import { useSession } from '#src/data/session.ts'
import { ActionButton, type ActionField } from '#src/parts/action-button.tsx'
import { MoneyText } from '#src/parts/values.tsx'

/** Names another transaction for a payout that the chain does not show; not for the person who named it last. */
function CorrectPayout({
  withdrawal: record,
  children,
}: {
  withdrawal: StaffWithdrawal
  children: ReactNode
}) {
  const translate = useTranslate()
  const self = useSession()?.name
  const { id } = record
  if ((record.payout_corrected_by ?? record.payout_recorded_by) === self) return null
  const reason: ActionField = { name: 'reason', label: 'areas.money.reason', long: true }
  return (
    <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 1 }}>
      <ActionButton
        route={correctPayout}
        request={{ id }}
        label="areas.money.correctPayout"
        done="areas.money.payoutCorrected"
        fields={[{ name: 'reference', label: 'areas.money.transaction' }, reason]}
      >
        {children}
        <p>{translate('areas.money.correctPayoutSays')}</p>
      </ActionButton>
      <ActionButton
        route={correctPayout}
        request={{ id }}
        label="areas.money.payAgain"
        done="areas.money.payoutOpen"
        tone="error"
        fields={[reason]}
      >
        {children}
        <p>{translate('areas.money.payAgainSays')}</p>
      </ActionButton>
    </Stack>
  )
}

/** Says that the bank sent a payment back; not for the person who recorded it. */
export function BankReturned({ withdrawal }: { withdrawal: StaffWithdrawal }) {
  const translate = useTranslate()
  const self = useSession()?.name
  const { id, username, state, payee, payout_recorded_by: recordedBy } = withdrawal
  if (state !== 'paid' || payee.kind !== 'bank' || recordedBy === self) return null
  return (
    <ActionButton
      route={correctPayout}
      request={{ id }}
      label="areas.money.bankReturned"
      done="areas.money.payoutOpen"
      tone="error"
      fields={[{ name: 'reason', label: 'areas.money.reason', long: true }]}
    >
      {username}: <MoneyText value={withdrawal.quantity} />
      <p>{translate('areas.money.bankReturnedSays')}</p>
    </ActionButton>
  )
}

/** Releases a withdrawal that was said to be unpaid into the next batch. */
export function ReleasePayment({ id }: { id: number }) {
  const translate = useTranslate()
  return (
    <ActionButton
      route={releaseBankPayment}
      request={{ id }}
      label="areas.money.releasePayment"
      done="areas.money.paymentReleased"
    >
      {translate('areas.money.releasePaymentSays')}
    </ActionButton>
  )
}

/** How many of two persons have approved a waiting withdrawal, and who. */
export function Approvals({ withdrawal }: { withdrawal: StaffWithdrawal }) {
  const translate = useTranslate()
  const { state, two_persons: two, first_approved_by: first } = withdrawal
  if (state !== 'waiting' || !two) return null
  return (
    <Typography variant="caption" color="textSecondary" component="div">
      {translate(first ? 'areas.money.oneOfTwo' : 'areas.money.noneOfTwo', { name: first })}
    </Typography>
  )
}

/** Whether the caller may approve a withdrawal now. */
export function mayApprove(withdrawal: StaffWithdrawal): boolean {
  const { state, yours, frozen, waits_for_identity: unproved } = withdrawal
  return state === 'waiting' && yours === true && !frozen && !unproved
}

/** The actions on a withdrawal that the caller may take now: approve or reject it, record its payout, or return it. */
export function DecideWithdrawal({ withdrawal: record }: { withdrawal: StaffWithdrawal }) {
  const translate = useTranslate()
  const self = useSession()?.name
  const { id, username, state, yours, two_persons: two, first_approved_by: first } = record
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
        {mayApprove(record) && (
          <ActionButton
            route={approveWithdrawal}
            request={{ id }}
            label="areas.money.approve"
            done="areas.money.approved"
          >
            {two && (
              <p>
                {translate(first ? 'areas.money.secondOf' : 'areas.money.two', { name: first })}
              </p>
            )}
            <AboutWithdrawal id={id} />
          </ActionButton>
        )}
        <ActionButton
          route={rejectWithdrawal}
          request={{ id }}
          label={requestedBySelf ? 'areas.proposals.withdraw' : 'areas.money.reject'}
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
  if (state === 'on_chain' || state === 'payout_wrong') {
    return <CorrectPayout withdrawal={record}>{what}</CorrectPayout>
  }
  if (state === 'to_pay') {
    const wallet = record.payee.kind === 'wallet'
    return (
      <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 1 }}>
        {yours && (
          <ActionButton
            route={recordPayout}
            request={{ id }}
            label="areas.money.pay"
            done="areas.money.paid"
            fields={[
              wallet
                ? {
                    ...{ name: 'reference', label: 'areas.money.transaction' },
                    hint: 'areas.money.transactionHint',
                  }
                : { name: 'reference', label: 'areas.money.reference' },
            ]}
          >
            <AboutWithdrawal id={id} />
          </ActionButton>
        )}
        {record.said_unpaid_by !== null && record.said_unpaid_by !== self && (
          <ReleasePayment id={id} />
        )}
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
          {what}
          <p>{translate('areas.proposals.effect.reversal')}</p>
        </ActionButton>
      </Stack>
    )
  }
  if (record.payout_reference === null) return null
  return <span className="num">{record.payout_reference}</span>
}
