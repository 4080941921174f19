import { Box, Card } from '@mui/material'
import {
  correctRefund,
  giveRefundBack,
  HELD_STATES,
  type HeldDeposit,
  oneHeldDeposit,
  proposeRefund,
  releaseRefund,
  returnRefund,
  takeRefund,
} from '@sum28/contract/staff-money-routes.ts'
import { listProposals } from '@sum28/contract/staff-proposal-routes.ts'
import { useTranslate } from 'react-admin'
import { Link, useParams } from 'react-router'
import { TakeBack } from '#src/areas/money/propose-adjustment.tsx'
import {
  CorrectPayment,
  GiveBack,
  isReleasedBy,
  NamedBefore,
  NamedPayment,
  TakenByOther,
} from '#src/areas/money/withdrawal-parts.tsx'
import { ProposalsAbout } from '#src/areas/proposals/proposal-parts.tsx'
import { useSession } from '#src/data/session.ts'
import { useReply } from '#src/data/use-reply.ts'
import { ActionButton, type ActionField, REASON } from '#src/parts/action-button.tsx'
import { Col, LinkCol, MomentCol, MoneyCol, StateCol, WordCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { type Fact, Facts } from '#src/parts/facts.tsx'
import { dueFilter, searchFilter, stateFilter, turnFilter } from '#src/parts/filters.tsx'
import { Loaded } from '#src/parts/loaded.tsx'
import { Page } from '#src/parts/page.tsx'
import { Rows } from '#src/parts/rows.tsx'
import { MoneyText, moment } from '#src/parts/values.tsx'

/** The page of one held deposit. */
export function HeldDepositShow() {
  const translate = useTranslate()
  const answer = useReply(oneHeldDeposit, { id: Number(useParams().id) }, { everyMs: 15_000 })
  return (
    <Page title={translate('areas.money.heldDeposit')}>
      <Loaded answer={answer}>{(deposit) => <Deposit deposit={deposit} />}</Loaded>
    </Page>
  )
}

function Deposit({ deposit }: { deposit: HeldDeposit }) {
  const translate = useTranslate()
  const facts: readonly Fact[] = [
    ['id', deposit.id],
    [
      'username',
      <Link key="player" to={`/players/${deposit.user_id}/show`}>
        {deposit.username}
      </Link>,
    ],
    ['quantity', <MoneyText key="quantity" value={deposit.quantity} />],
    ['because', translate(`areas.money.because.${deposit.because}`)],
    ['held_at', moment(deposit.held_at)],
    ['asked_back_at', moment(deposit.asked_back_at)],
    ['state', translate(`areas.money.heldState.${deposit.state}`)],
    ['origin', deposit.origin],
    ['reference', deposit.reference],
    ['decided_by', deposit.decided_by],
    ['decided_at', moment(deposit.decided_at)],
    ['refund_reference', deposit.refund_reference],
    ['earlier_references', deposit.earlier_references.join(', ') || undefined],
    ['refund_corrected_by', deposit.refund_corrected_by],
    ['refund_to', deposit.refund_to ?? undefined],
    ['kept_from_paying', deposit.kept_from_paying.join(', ') || undefined],
  ]
  return (
    <>
      <Card sx={{ padding: 2, display: 'grid', gap: 2 }}>
        <Facts texts="resources.held-deposits.fields" facts={facts} />
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
          <ProposeRefund deposit={deposit} />
          <TakeHeldBack deposit={deposit} />
          <PayRefund deposit={deposit} />
          <ReleaseRefund deposit={deposit} />
          <CorrectRefund deposit={deposit} />
          <RefundReturned deposit={deposit} />
        </Box>
      </Card>
      <ProposalsAbout
        request={{ subject: `held_deposit:${deposit.id}` }}
        taker={deposit.taken_by}
      />
    </>
  )
}

const FILTERS = [
  searchFilter('areas.money.searchHeldDeposits'),
  stateFilter(HELD_STATES, 'areas.money.heldState'),
  turnFilter(),
  dueFilter('areas.money.refundDue'),
]

/** Deposits that came against a limit, an exclusion or a review. */
export function HeldDepositList() {
  return (
    <DataList filters={FILTERS} refreshMs={15_000}>
      <Rows opens>
        <LinkCol sorts />
        <Col source="username" />
        <MoneyCol source="quantity" />
        <WordCol source="because" texts="areas.money.because" />
        <MomentCol source="held_at" />
        <MomentCol source="asked_back_at" />
        <StateCol
          source="state"
          texts="areas.money.heldState"
          tones={{
            held: 'warning',
            refunding: 'warning',
            taking_back: 'warning',
            refund_awaited: 'warning',
            refund_wrong: 'error',
            refund_returned: 'error',
            released: 'success',
          }}
        />
        <Col
          label="console.actions"
          render={(deposit: HeldDeposit) => (
            <>
              <CorrectRefund deposit={deposit} />
              <ProposeRefund deposit={deposit} />
            </>
          )}
        />
      </Rows>
    </DataList>
  )
}

/** Whether a person named the payment of a refund last: another one says that it is wrong. */
function isNamedBy(self: string | undefined, deposit: HeldDeposit): boolean {
  return (deposit.refund_corrected_by ?? deposit.decided_by) === self
}

/**
 * Names another transaction for a refund that the chain does not show, or another reference for one by a bank; not for
 * the person who named it last.
 */
function CorrectRefund({ deposit }: { deposit: HeldDeposit }) {
  const translate = useTranslate()
  const self = useSession()?.name
  const { id, state, by, username, quantity, origin, refund_to: payee } = deposit
  const { refund_reference: reference } = deposit
  const byBank = state === 'refunded' && by === 'bank'
  if (!byBank && state !== 'refund_awaited' && state !== 'refund_wrong') return null
  if (reference === null || isNamedBy(self, deposit) || deposit.chain_has_time) return null
  return (
    <CorrectPayment route={correctRefund} id={id} reference={reference} byBank={byBank}>
      {username}: <MoneyText value={quantity} />
      {!byBank && (
        <>
          <br />
          {translate('areas.money.backTo')}:{' '}
          <span style={{ overflowWrap: 'anywhere' }}>{payee ?? origin}</span>
        </>
      )}
      <NamedPayment reference={reference} />
      <NamedBefore references={deposit.earlier_references} />
    </CorrectPayment>
  )
}

/** Says that the bank sent a refund back; not for the person who named its payment last. */
function RefundReturned({ deposit }: { deposit: HeldDeposit }) {
  const translate = useTranslate()
  const self = useSession()?.name
  const { id, state, by, username, quantity, refund_reference: reference } = deposit
  if (state !== 'refunded' || by !== 'bank' || reference === null) return null
  if (isNamedBy(self, deposit)) return null
  return (
    <ActionButton
      route={returnRefund}
      request={{ id, seen_reference: reference }}
      label="areas.money.bankReturned"
      done="areas.money.refundOpen"
      tone="error"
      fields={[REASON]}
    >
      {username}: <MoneyText value={quantity} />
      <NamedPayment reference={reference} />
      <p>{translate('areas.money.refundReturnedSays')}</p>
    </ActionButton>
  )
}

/** Takes a proposed refund to pay it, and gives it back; the proposal below is confirmed by whoever has paid it. */
function PayRefund({ deposit }: { deposit: HeldDeposit }) {
  const translate = useTranslate()
  const self = useSession()?.name
  const { id, state, by, username, quantity } = deposit
  const { taken_by: taker, kept_from_paying: deniers } = deposit
  const { data } = useReply(listProposals, { subject: `held_deposit:${id}` })
  const proposed = data?.list.find((proposal) => proposal.state === 'proposed')
  // Not who proposes it either; until that is known, it is offered to nobody.
  const barred = !proposed || [proposed.proposed_by, ...deniers].includes(self ?? '')
  if (state !== 'refunding') return null
  if (taker === self) return <GiveBack id={id} route={giveRefundBack} />
  if (taker !== null) {
    const routes = { route: takeRefund, back: giveRefundBack }
    const hasLeft = proposed?.yours === true
    return <TakenByOther payment={deposit} {...routes} hasLeft={hasLeft} barred={barred} />
  }
  if (barred) return null
  return (
    <ActionButton
      route={takeRefund}
      request={{ id }}
      label="areas.money.takeToPay"
      done="areas.money.refundTaken"
    >
      {username}: <MoneyText value={quantity} />
      <NamedBefore references={deposit.earlier_references} />
      {by === 'chain' && deposit.refund_reference !== null && (
        <p>{translate('areas.money.refundAgainSays')}</p>
      )}
      <p>{translate('areas.proposals.effect.refund')}</p>
    </ActionButton>
  )
}

/** Says that a refund which somebody gave back was not paid; not for him. */
function ReleaseRefund({ deposit }: { deposit: HeldDeposit }) {
  const translate = useTranslate()
  const self = useSession()?.name
  const { id, taken_by: taker, kept_from_paying: deniers, denied_at } = deposit
  if (taker !== null || denied_at === null || !isReleasedBy(self, deposit)) return null
  return (
    <ActionButton
      route={releaseRefund}
      request={{ id, denied_at }}
      label="areas.money.releaseRefund"
      done="areas.money.refundReleased"
    >
      {translate('areas.money.releaseRefundSays', { name: deniers.join(', ') })}
    </ActionButton>
  )
}

/** Proposes to take a held deposit back that staff booked by mistake; not while somebody may have paid it back. */
function TakeHeldBack({ deposit }: { deposit: HeldDeposit }) {
  const [, proposal] = /^(?:bank|usdt:.*:.*):(\d+)$/.exec(deposit.reference) ?? []
  if (deposit.state !== 'held' || !proposal || deposit.denied_at !== null) return null
  return <TakeBack deposit={deposit} number={Number(proposal)} />
}

/** The states of a deposit that can be proposed to be paid back. */
const UNPAID: readonly HeldDeposit['state'][] = ['held', 'refund_wrong', 'refund_returned']

const PAYEE: ActionField = {
  name: 'payee',
  label: 'areas.money.otherPayee',
  hint: 'areas.money.otherPayeeHint',
  optional: true,
}

/**
 * Proposes to pay a held deposit back; another person pays it and confirms. Not for the person who named the transaction
 * that is wrong.
 */
function ProposeRefund({ deposit }: { deposit: HeldDeposit }) {
  const translate = useTranslate()
  const self = useSession()?.name
  const { id, state, username, quantity, origin, by } = deposit
  if (!UNPAID.includes(state)) return null
  if (state === 'refund_wrong' && isNamedBy(self, deposit)) return null
  return (
    <ActionButton
      route={proposeRefund}
      request={{ id }}
      label="areas.money.proposeRefund"
      done="areas.money.refundProposed"
      fields={[...(by === 'chain' ? [PAYEE] : []), REASON]}
    >
      {username}: <MoneyText value={quantity} />
      <br />
      {translate('areas.money.backTo')}: <span style={{ overflowWrap: 'anywhere' }}>{origin}</span>
      {state === 'refund_wrong' && <p>{translate('areas.money.refundAgainSays')}</p>}
      {by === 'chain' && <p>{translate('areas.money.ofExchange')}</p>}
    </ActionButton>
  )
}
