import { Alert, Box, Button, Card, Typography } from '@mui/material'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { withdrawalPayments } from '@sum28/contract/staff-bank-routes.ts'
import {
  oneWithdrawal,
  type StaffWithdrawal,
  withdrawalPayee,
} from '@sum28/contract/staff-routes.ts'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { Link, useParams } from 'react-router'
import {
  ClosedAccount,
  Hints,
  isInParts,
  Obstacles,
  PayeeText,
} from '#src/areas/money/withdrawal-hints.tsx'
import {
  DecideWithdrawal,
  isAboveZero,
  PaidByBank,
  SeenText,
} from '#src/areas/money/withdrawal-parts.tsx'
import { ProposalsAbout } from '#src/areas/proposals/proposal-parts.tsx'
import { useMay, useSession } from '#src/data/session.ts'
import { useAction } from '#src/data/use-action.ts'
import { useReply } from '#src/data/use-reply.ts'
import { Facts } from '#src/parts/facts.tsx'
import { Loaded } from '#src/parts/loaded.tsx'
import { Page } from '#src/parts/page.tsx'
import { MomentText, MoneyText, moment } from '#src/parts/values.tsx'

/** The page of one withdrawal: its facts, risk hints, and the decision. */
export function WithdrawalShow() {
  const translate = useTranslate()
  const { id = '' } = useParams()
  const answer = useReply(oneWithdrawal, { id: Number(id) }, { everyMs: 15_000 })
  return (
    <Page title={`${translate('areas.money.withdrawal')} ${id}`}>
      <Loaded answer={answer}>{(withdrawal) => <Shown withdrawal={withdrawal} />}</Loaded>
    </Page>
  )
}

/** The states in which the money is back, or comes back if another person confirms it. */
const COMES_BACK: readonly StaffWithdrawal['state'][] = ['rejected', 'reversing', 'reversed']

function Shown({ withdrawal }: { withdrawal: StaffWithdrawal }) {
  const translate = useTranslate()
  const { id, payee } = withdrawal
  const inParts = isInParts(withdrawal)
  return (
    <>
      <Hints hints={withdrawal.risks} />
      <Card sx={{ padding: 2, display: 'grid', gap: 2 }}>
        <Facts
          texts="resources.withdrawals.fields"
          facts={[
            ['id', id],
            [
              'username',
              <Link key="player" to={`/players/${withdrawal.user_id}/show`}>
                {withdrawal.username}
              </Link>,
            ],
            ['quantity', <MoneyText key="quantity" value={withdrawal.quantity} />],
            [
              'paid_part',
              inParts ? <MoneyText key="part" value={withdrawal.paid_part} /> : undefined,
            ],
            ['rest', inParts ? <MoneyText key="rest" value={withdrawal.rest} /> : undefined],
            ['state', translate(`areas.money.state.${withdrawal.state}`)],
            ['requested_at', moment(withdrawal.requested_at)],
            ['payee', <PayeeText key="payee" payee={payee} />],
            ['branch', [payee.branch_code, payee.branch_name].filter(Boolean).join(' ') || null],
            ['first_approved_by', withdrawal.first_approved_by],
            ['decided_by', withdrawal.decided_by],
            ['decided_at', moment(withdrawal.decided_at)],
            ['reject_reason', withdrawal.reject_reason],
            ['payout_reference', withdrawal.payout_reference],
            ['earlier_references', withdrawal.earlier_references.join(', ') || undefined],
            ['payout_recorded_by', withdrawal.payout_recorded_by],
            ['paid_at', moment(withdrawal.paid_at)],
            ['sent_at', moment(withdrawal.sent_at) ?? undefined],
            ['requested_by', withdrawal.requested_by ?? undefined],
            ['request_reason', withdrawal.request_reason ?? undefined],
            ['note', withdrawal.note ?? undefined],
            ['noted_at', moment(withdrawal.noted_at) ?? undefined],
            ['payout_corrected_by', withdrawal.payout_corrected_by ?? undefined],
            ['payout_accepted_by', withdrawal.payout_accepted_by ?? undefined],
            ['kept_from_paying', withdrawal.kept_from_paying.join(', ') || undefined],
            ['reversed_by', withdrawal.reversed_by ?? undefined],
            ['reversed_at', moment(withdrawal.reversed_at) ?? undefined],
          ]}
        />
        <OnChain withdrawal={withdrawal} />
        {withdrawal.waits_for_identity && (
          <Alert severity="warning">
            {translate('areas.money.waitsForIdentity')}{' '}
            <Link to={`/players/${withdrawal.user_id}/show?tab=identity`}>
              {translate('areas.money.toIdentity')}
            </Link>
          </Alert>
        )}
        <Obstacles withdrawal={withdrawal} />
        {COMES_BACK.includes(withdrawal.state) && <ClosedAccount withdrawal={withdrawal} />}
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
          <DecideWithdrawal withdrawal={withdrawal} />
          <PaidByBank withdrawal={withdrawal} />
          {payee.kind === 'bank' && <ShowPayee withdrawal={withdrawal} />}
        </Box>
      </Card>
      <ProposalsAbout request={{ subject: `withdrawal:${id}` }} />
      <InBatches id={id} />
    </>
  )
}

/** The batches that a withdrawal was in, with the reason of a payment that failed. */
function InBatches({ id }: { id: number }) {
  const answer = useReply(withdrawalPayments, { id })
  return (
    <Loaded answer={answer}>
      {({ list }) => list.map((payment) => <Payment key={payment.batch_id} payment={payment} />)}
    </Loaded>
  )
}

type Payment = ReplyOf<typeof withdrawalPayments>['list'][number]

function Payment({ payment }: { payment: Payment }) {
  const translate = useTranslate()
  return (
    <Card sx={{ padding: 2 }}>
      <Facts
        texts="areas.money.paymentFields"
        facts={[
          [
            'batch_id',
            <Link key="batch" to={`/bank-batches/${payment.batch_id}/show`}>
              {payment.batch_id}
            </Link>,
          ],
          ['state', translate(`areas.money.paymentState.${payment.state}`)],
          ['answer', payment.reference ?? payment.reason],
          ['answered_by', payment.answered_by],
          ['answered_at', payment.answered_at && <MomentText key="at" at={payment.answered_at} />],
        ]}
      />
    </Card>
  )
}

/** What the chain says of a payout to a wallet. */
function OnChain({ withdrawal }: { withdrawal: StaffWithdrawal }) {
  const translate = useTranslate()
  const { payout_chain: chain, payout_fault: fault } = withdrawal
  if (chain === null) return null
  if (chain === 'seen') {
    return <Alert severity="success">{translate('areas.money.payoutSeen')}</Alert>
  }
  return chain === 'wrong' ? (
    <Alert severity="error">
      {translate(`areas.money.payoutFault.${fault}`)}{' '}
      {isAboveZero(withdrawal.seen_amount) && <SeenText withdrawal={withdrawal} />}
    </Alert>
  ) : (
    <Alert severity="info">{translate('areas.money.payoutAwaited')}</Alert>
  )
}

/** The states of what is to be paid: only the person who has taken it sees its payee. */
const UNPAID: readonly StaffWithdrawal['state'][] = ['to_pay', 'at_bank', 'reversing']

/** Shows the whole number of a card; the audit log records it. The number is forgotten when the page is left. */
function ShowPayee({ withdrawal }: { withdrawal: StaffWithdrawal }) {
  const translate = useTranslate()
  const may = useMay()
  const self = useSession()?.name
  const { id, state, taken_by: taker } = withdrawal
  const { act, pending } = useAction(withdrawalPayee)
  const [number, setNumber] = useState<string | null>(null)
  if (!may(withdrawalPayee.action) || (UNPAID.includes(state) && taker !== self)) return null
  return (
    <>
      {number === null && (
        <Button
          loading={pending}
          onClick={async () => setNumber((await act({ id }))?.reply.number ?? null)}
        >
          {translate('areas.money.showPayee')}
        </Button>
      )}
      {/* There from the start: what comes with its text is not read aloud. */}
      <Typography className="num" sx={{ alignSelf: 'center' }} role="status">
        {number}
      </Typography>
    </>
  )
}
