import { Alert, Box, Stack, Typography } from '@mui/material'
import {
  acceptPayout,
  correctPayout,
  releaseBankPayment,
  reopenPayout,
} from '@sum28/contract/staff-bank-routes.ts'
import type {
  correctRefund,
  giveRefundBack,
  takeRefund,
} from '@sum28/contract/staff-money-routes.ts'
import {
  approveWithdrawal,
  givePaymentBack,
  proposeReversal,
  recordPayout,
  rejectWithdrawal,
  type StaffWithdrawal,
  takePayment,
} from '@sum28/contract/staff-routes.ts'
import { amountFromWire } from '@sum28/domain/money.ts'
import type { ReactNode } from 'react'
import { useTranslate } from 'react-admin'
import { AboutWithdrawal, ClosedAccount, isInParts } from '#src/areas/money/withdrawal-hints.tsx'
import { useSession } from '#src/data/session.ts'
import { ActionButton, type ActionField, REASON } from '#src/parts/action-button.tsx'
import { MomentText, MoneyText } from '#src/parts/values.tsx'

/** The payment that a dialog is about. */
export function NamedPayment({ reference }: { reference: string }) {
  const translate = useTranslate()
  return (
    <Box sx={{ overflowWrap: 'anywhere' }}>
      {translate('areas.money.paymentReference')}: {reference}
    </Box>
  )
}

/** Names another payment in place of one: another reference of the bank's, or another transaction. */
export function CorrectPayment({
  route,
  id,
  reference,
  byBank,
  children,
}: {
  route: typeof correctPayout | typeof correctRefund
  id: number
  reference: string
  byBank: boolean
  children: ReactNode
}) {
  const translate = useTranslate()
  const name = byBank ? 'correctReference' : 'correctPayout'
  const label = byBank ? 'areas.money.paymentReference' : 'areas.money.transaction'
  return (
    <ActionButton
      route={route}
      request={{ id, seen_reference: reference }}
      label={`areas.money.${name}`}
      done={byBank ? 'areas.money.accepted' : 'areas.money.payoutCorrected'}
      fields={[{ name: 'reference', label }, REASON]}
    >
      {children}
      <p>{translate(`areas.money.${name}Says`)}</p>
    </ActionButton>
  )
}

/** Names another transaction for a payout that the chain does not show; not for a person who named it or may have sent it. */
function CorrectPayout({
  withdrawal: record,
  children,
}: {
  withdrawal: StaffWithdrawal
  children: ReactNode
}) {
  const translate = useTranslate()
  const self = useSession()?.name
  const { id, yours, payout_reference: reference, seen_amount: seen } = record
  if (reference === null || (!yours && record.payout_accepted_by !== self)) return null
  return (
    <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 1 }}>
      <AcceptPayout withdrawal={record}>{children}</AcceptPayout>
      {!isAboveZero(seen) && (
        <CorrectPayment route={correctPayout} id={id} reference={reference} byBank={false}>
          {children}
          <NamedPayment reference={reference} />
        </CorrectPayment>
      )}
      {!record.may_come && (
        <ActionButton
          route={reopenPayout}
          request={{ id, seen_reference: reference }}
          label="areas.money.payAgain"
          done="areas.money.payoutOpen"
          tone="error"
          fields={[REASON]}
        >
          {children}
          <NamedPayment reference={reference} />
          <p>{translate('areas.money.payAgainSays')}</p>
          {isAboveZero(seen) && (
            <Alert severity="error">
              <SeenText withdrawal={record} /> {translate('areas.money.paidBesides')}
            </Alert>
          )}
        </ActionButton>
      )}
    </Stack>
  )
}

export const isAboveZero = (amount: string) => amountFromWire(amount) > 0n

/** What the transaction of a payout pays this payee, which is another amount. */
export function SeenText({ withdrawal }: { withdrawal: StaffWithdrawal }) {
  const translate = useTranslate()
  return (
    <>
      {translate('areas.money.seenAmount')} <MoneyText value={withdrawal.seen_amount} />.
    </>
  )
}

/**
 * Counts what a payout's transaction pays this payee: less, and then the rest is to be paid; all, but later than it may,
 * as one person says; or more, as two persons say.
 */
function AcceptPayout({
  withdrawal: record,
  children,
}: {
  withdrawal: StaffWithdrawal
  children: ReactNode
}) {
  const translate = useTranslate()
  const {
    id,
    rest,
    seen_amount: seen,
    payout_reference: reference,
    payout_accepted_by: by,
  } = record
  if (!isAboveZero(seen) || reference === null || !record.yours) return null
  const isPart = amountFromWire(seen) < amountFromWire(rest)
  const isLate = seen === rest && record.payout_fault === 'sent_later'
  const more = by ? 'areas.money.acceptMoreSecond' : 'areas.money.acceptMoreSays'
  return (
    <ActionButton
      route={acceptPayout}
      request={{ id, reference }}
      label={isPart ? 'areas.money.countPart' : 'areas.money.acceptMore'}
      done={isPart ? 'areas.money.payoutOpen' : 'areas.money.accepted'}
      fields={[REASON]}
    >
      {children}
      <p>
        <SeenText withdrawal={record} />
      </p>
      <p>
        {isPart && translate('areas.money.countPartSays')}
        {isLate && translate('areas.money.acceptLateSays')}
        {!isPart && !isLate && translate(more, { name: by })}
      </p>
    </ActionButton>
  )
}

/** What earlier transactions paid of a withdrawal, if they did. */
function PartText({ withdrawal }: { withdrawal: StaffWithdrawal }) {
  const translate = useTranslate()
  const { paid_part: part, rest } = withdrawal
  if (!isInParts(withdrawal)) return null
  return (
    <p>
      {translate('areas.money.partPaid')} <MoneyText value={part} />.{' '}
      {translate('areas.money.restLeft')} <MoneyText value={rest} />.
    </p>
  )
}

/** The transactions or references that were named before: each may have paid it. */
export function NamedBefore({ references }: { references: readonly string[] }) {
  const translate = useTranslate()
  if (references.length === 0) return null
  return (
    <p style={{ overflowWrap: 'anywhere' }}>
      {translate('areas.money.namedBefore')} {references.join(', ')}
    </p>
  )
}

/** Corrects the reference of a bank's payment, or says that the bank sent it back; not for who named it last. */
export function PaidByBank({ withdrawal }: { withdrawal: StaffWithdrawal }) {
  const translate = useTranslate()
  const self = useSession()?.name
  const { id, username, state, payee, payout_reference: reference } = withdrawal
  if (state !== 'paid' || payee.kind !== 'bank' || reference === null) return null
  if ((withdrawal.payout_corrected_by ?? withdrawal.payout_recorded_by) === self) return null
  const what = (
    <>
      {username}: <MoneyText value={withdrawal.quantity} />
      <NamedPayment reference={reference} />
      <NamedBefore references={withdrawal.earlier_references} />
    </>
  )
  return (
    <>
      <CorrectPayment route={correctPayout} id={id} reference={reference} byBank>
        {what}
      </CorrectPayment>
      <ActionButton
        route={reopenPayout}
        request={{ id, seen_reference: reference }}
        label="areas.money.bankReturned"
        done="areas.money.payoutOpen"
        tone="error"
        fields={[REASON]}
      >
        {what}
        <p>{translate('areas.money.bankReturnedSays')}</p>
      </ActionButton>
    </>
  )
}

/** Releases a withdrawal that was said to be unpaid into the next batch. */
export function ReleasePayment({ id, deniedAt }: { id: number; deniedAt: number }) {
  const translate = useTranslate()
  return (
    <ActionButton
      route={releaseBankPayment}
      request={{ id, denied_at: deniedAt }}
      label="areas.money.releasePayment"
      done="areas.money.paymentReleased"
    >
      <AboutWithdrawal id={id} />
      <p>{translate('areas.money.releasePaymentSays')}</p>
    </ActionButton>
  )
}

/** Who else makes a payment, and the buttons that take it over from him, or give it back if he has left. */
export function TakenByOther({
  payment: { id, taken_by: taker, taken_at: takenAt },
  route,
  back,
  hasLeft,
  barred,
  children,
}: {
  payment: Pick<StaffWithdrawal, 'id' | 'taken_by' | 'taken_at'>
  route: typeof takePayment | typeof takeRefund
  back: GiveBackProps['route']
  /** Whether he may pay no more, so that each person gives it back. */
  hasLeft: boolean
  /** Whether the caller may not pay it, because he took another step of it. */
  barred: boolean
  children?: ReactNode
}) {
  const translate = useTranslate()
  return (
    <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
      <span>
        {translate('areas.money.takenBy', { name: taker })}{' '}
        {takenAt !== null && <MomentText at={takenAt} />}
      </span>
      {!barred && (
        <ActionButton
          route={route}
          request={{ id, ...(taker !== null && { taken_from: taker }) }}
          label="areas.money.takeOver"
          done="areas.money.taken"
          tone="error"
        >
          {children}
          <p>{translate('areas.money.takeOverSays', { name: taker })}</p>
        </ActionButton>
      )}
      {hasLeft && <GiveBack id={id} route={back} />}
    </Stack>
  )
}

type GiveBackProps = { id: number; route: typeof givePaymentBack | typeof giveRefundBack }

/** Gives a payment back that the caller has taken, or somebody who has left. */
export function GiveBack({ id, route }: GiveBackProps) {
  const translate = useTranslate()
  return (
    <ActionButton
      route={route}
      request={{ id }}
      label="areas.money.giveBack"
      done="areas.money.givenBack"
      tone="error"
    >
      {translate('areas.money.giveBackSays')}
    </ActionButton>
  )
}

/** Whether a person releases a payment that others gave back: he never had it. */
export function isReleasedBy(
  self: string | undefined,
  { kept_from_paying: deniers }: { kept_from_paying: readonly string[] },
): boolean {
  return self !== undefined && deniers.length > 0 && !deniers.includes(self)
}

/** Whether a person may not pay a withdrawal: he approved it, or had it and gave it back. */
function isKeptFromPaying(self: string | undefined, record: StaffWithdrawal): boolean {
  const kept = [record.first_approved_by, record.decided_by, ...record.kept_from_paying]
  return kept.includes(self ?? null)
}

/** A payment that somebody makes by hand: he records it or gives it back, and another takes it over. */
function Taken({ withdrawal: record }: { withdrawal: StaffWithdrawal }) {
  const self = useSession()?.name
  const { id, taken_by: taker, payee, frozen, hold_until: until, needs_password } = record
  const wallet = payee.kind === 'wallet'
  if (taker !== self) {
    return (
      <TakenByOther
        payment={record}
        route={takePayment}
        back={givePaymentBack}
        hasLeft={record.yours === true}
        barred={isKeptFromPaying(self, record)}
      >
        <AboutWithdrawal id={id} />
      </TakenByOther>
    )
  }
  return (
    <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 1 }}>
      <ActionButton
        route={recordPayout}
        request={{ id }}
        label="areas.money.pay"
        done="areas.money.paid"
        fields={[
          wallet
            ? {
                name: 'reference',
                label: 'areas.money.transaction',
                hint: 'areas.money.transactionHint',
              }
            : { name: 'reference', label: 'areas.money.reference' },
          ...(frozen || until !== null || needs_password ? [SENT_AT] : []),
        ]}
      >
        <AboutWithdrawal id={id} />
      </ActionButton>
      <GiveBack id={id} route={givePaymentBack} />
    </Stack>
  )
}

const SENT_AT: ActionField = { name: 'sent_at', label: 'areas.money.sentAt', type: 'time' }

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
  const { state, yours, frozen, waits_for_identity: unproved, needs_password } = withdrawal
  return state === 'waiting' && yours === true && !frozen && !unproved && !needs_password
}

/** The actions on a withdrawal that the caller may take now: approve or reject it, pay it, or return it. */
export function DecideWithdrawal({ withdrawal: record }: { withdrawal: StaffWithdrawal }) {
  const translate = useTranslate()
  const self = useSession()?.name
  const { id, username, state, yours, two_persons: two, first_approved_by: first } = record
  const { denied_at: denied } = record
  const requestedBySelf = record.requested_by === self
  const what = (
    <>
      {username}: <MoneyText value={record.quantity} />
      <PartText withdrawal={record} />
      <NamedBefore references={record.earlier_references} />
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
          fields={[{ ...REASON, hint: 'areas.money.seen' }]}
        >
          {what}
          <ClosedAccount withdrawal={record} />
        </ActionButton>
      </Stack>
    )
  }
  // While the chain has its ten minutes, it waits for nobody.
  if ((state === 'on_chain' && yours !== null) || state === 'payout_wrong') {
    return <CorrectPayout withdrawal={record}>{what}</CorrectPayout>
  }
  if (state === 'to_pay' && record.taken_by !== null) return <Taken withdrawal={record} />
  if (state === 'to_pay') {
    return (
      <Stack direction="row" sx={{ flexWrap: 'wrap', gap: 1 }}>
        {yours && !isKeptFromPaying(self, record) && (
          <ActionButton
            route={takePayment}
            request={{ id }}
            label="areas.money.takeToPay"
            done="areas.money.taken"
          >
            <AboutWithdrawal id={id} />
            <p>{translate('areas.money.takeSays')}</p>
          </ActionButton>
        )}
        {isReleasedBy(self, record) && denied !== null && (
          <ReleasePayment id={id} deniedAt={denied} />
        )}
        <ActionButton
          route={proposeReversal}
          request={{ id }}
          label="areas.money.reverseWithdrawal"
          done="areas.money.reversalProposed"
          tone="error"
          fields={[{ ...REASON, hint: 'areas.money.seen' }]}
        >
          {what}
          <p>{translate('areas.proposals.effect.reversal')}</p>
          <ClosedAccount withdrawal={record} />
        </ActionButton>
      </Stack>
    )
  }
  if (record.payout_reference === null) return null
  return <span className="num">{record.payout_reference}</span>
}
