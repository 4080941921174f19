/** A proposal of a member of staff: what changes, before and after, and its decision by another. */
import { Box, Button, Card, Chip, Stack, Typography } from '@mui/material'
import type { RequestOf } from '@sum28/contract/route.ts'
import {
  confirmProposal,
  ENDED_ON_DUTY,
  endProposal,
  listProposals,
  OF_OWNERS,
  type Proposal,
} from '@sum28/contract/staff-proposal-routes.ts'
import { dismissTransfer } from '@sum28/contract/staff-transfer-routes.ts'
import { formatShare } from '@sum28/domain/odds.ts'
import { RULES } from '@sum28/domain/outcomes.ts'
import { useTranslate } from 'react-admin'
import { Link } from 'react-router'
import { typedReturn } from '#src/areas/games/terms-draft.ts'
import { OTHER_THAN } from '#src/areas/money/record-bank-deposit.tsx'
import { subjectPath } from '#src/areas/staff/audit-facts.ts'
import { useIsRejected } from '#src/data/held-calls.ts'
import { useMay, useSession } from '#src/data/session.ts'
import { useReply } from '#src/data/use-reply.ts'
import { ActionButton, type ActionField, REASON } from '#src/parts/action-button.tsx'
import { Loaded } from '#src/parts/loaded.tsx'
import { MomentText, MoneyText } from '#src/parts/values.tsx'

/** What it is about, with a link to its page. */
export function Subject({ proposal }: { proposal: Proposal }) {
  const name = useName(proposal)
  const to = subjectPath(proposal.subject)
  return to === null ? name : <Link to={to}>{name}</Link>
}

/**
 * What it is about, in words. A player has his number, which a bank's statement shows and no other name resembles; the
 * bank's balance has no record with a name.
 */
function useName({ kind, name, user_id }: Proposal): string {
  const translate = useTranslate()
  if (kind === 'bank_balance') return translate('areas.money.reserves.title')
  return user_id === null ? name : translate('areas.proposals.player', { name, number: user_id })
}

/** Each value that changes, before and after; or in words what happens. */
export function Changes({ proposal }: { proposal: Proposal }) {
  const translate = useTranslate()
  if (proposal.changes.length === 0) return <Effect proposal={proposal} />
  return (
    <Box component="ul" sx={{ margin: 0, paddingInlineStart: 2 }}>
      {proposal.changes.map(({ what, of, before, after }) => {
        const outcome = /^odds (.+)$/.exec(what)?.[1]
        const Value = outcome !== undefined ? Odds : TEXTS.includes(what) ? PlainText : MoneyText
        return (
          <li key={`${of} ${what}`}>
            {of && `${of}: `}
            {outcome ?? translate(`areas.proposals.what.${what}`)}:{' '}
            {before !== null && (
              <>
                <Value value={before} outcome={outcome} /> →{' '}
              </>
            )}
            <Value value={after} outcome={outcome} plus={before === null} />
          </li>
        )
      })}
    </Box>
  )
}

/** What is a text, and no amount. */
const TEXTS = [
  'reference',
  'deposit',
  'other_than',
  'origin',
  'payee',
  'role',
  'email',
  'account',
  'bank_account',
  'day',
]

function PlainText({ value }: { value: string }) {
  return <span style={{ overflowWrap: 'anywhere' }}>{value || '—'}</span>
}

function Effect({ proposal }: { proposal: Proposal }) {
  return <div>{useTranslate()(`areas.proposals.effect.${proposal.kind}`)}</div>
}

/** Odds with the return that they give. */
function Odds({ value, outcome }: { value: string; outcome: string | undefined }) {
  const translate = useTranslate()
  const ways = RULES.find((rule) => rule.outcome === outcome)?.ways ?? 0
  const share = formatShare(typedReturn(ways, value)?.ppm ?? 0)
  return (
    <span className="num">
      {value} ({translate('areas.games.return')} {share})
    </span>
  )
}

const TONES: Partial<Record<string, 'warning' | 'success'>> = {
  proposed: 'warning',
  first_confirmed: 'warning',
  confirmed: 'success',
  confirmed_alone: 'success',
  confirmed_by_two: 'success',
  effective: 'success',
}

/** Its state, with how many persons have said yes. */
export function ProposalState({ proposal }: { proposal: Proposal }) {
  const shown = shownState(proposal)
  const label = useTranslate()(`areas.proposals.state.${shown}`)
  return <Chip color={TONES[shown] ?? 'default'} label={label} />
}

function shownState({ state, proposed_by, confirmed_by, first_confirmed_by }: Proposal): string {
  const isOfThree = first_confirmed_by !== null
  if (state === 'proposed') return isOfThree ? 'first_confirmed' : state
  if (state !== 'confirmed') return state
  // The only owner of a house confirms some kinds himself.
  if (confirmed_by === proposed_by) return 'confirmed_alone'
  return isOfThree ? 'confirmed_by_two' : state
}

/** Who proposes it, and why. */
function By({ proposal: { proposed_by: by, reason } }: { proposal: Proposal }) {
  const translate = useTranslate()
  return translate(`areas.proposals.${reason === null ? 'byWhom' : 'by'}`, { by, reason })
}

/** What the confirming person types. */
function addedTo({ kind, changes }: Proposal): ActionField[] {
  if (kind === 'refund') return [{ name: 'reference', label: 'areas.money.paymentReference' }]
  return changes.some(({ what }) => what === 'other_than') ? [OTHER_THAN] : []
}

type AboutOne = { proposal: Proposal; taker?: string | null | undefined }

/**
 * The buttons of a proposal that is open: its maker withdraws it, another person confirms or refuses it. A refund is
 * decided on the page of its deposit: confirmed by whoever has taken its payment, and ended while nobody has.
 *
 * @param taker who has taken its payment, or null, where that is known
 */
export function DecideProposal({ proposal, taker }: AboutOne) {
  const translate = useTranslate()
  const may = useMay()
  const session = useSession()
  const own = session?.name === proposal.proposed_by
  const name = useName(proposal)
  const isRejected = useIsRejected()
  const { id, kind, state, yours } = proposal
  // A dismissal ends the proposal with it, and does not name it.
  const [of, tx_id, log] = proposal.subject.split(':')
  const isDismissed =
    of === 'transfer' && isRejected(dismissTransfer, { tx_id, log_index: Number(log) })
  const waits = state === 'confirmed' && kind === 'room_change'
  if (state !== 'proposed' && !waits) return null
  const ofOwners = OF_OWNERS.includes(kind) && session?.role !== 'owner'
  const mayEnd = own || (may(confirmProposal.action) && !ofOwners) || ENDED_ON_DUTY.includes(kind)
  const isRefund = kind === 'refund'
  const first = proposal.first_confirmed_by
  const content = (
    <>
      {translate(`areas.proposals.kind.${kind}`)}: {name}
      <Changes proposal={proposal} />
      <By proposal={proposal} />
      {first && <div>{translate('areas.proposals.firstConfirmedBy', { name: first })}</div>}
    </>
  )
  return (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
      {yours && (!isRefund || taker === session?.name) && (
        <ActionButton
          route={confirmProposal}
          request={{ id }}
          label="areas.proposals.confirm"
          done="areas.proposals.confirmed"
          disabled={isDismissed}
          fields={addedTo(proposal)}
        >
          {content}
          {proposal.changes.length > 0 && <Effect proposal={proposal} />}
        </ActionButton>
      )}
      {(yours || mayEnd) && isRefund && taker === undefined && (
        <Button component={Link} to={subjectPath(proposal.subject) ?? ''}>
          {translate(own || !yours ? 'areas.money.heldDeposit' : 'areas.money.takeToPay')}
        </Button>
      )}
      {mayEnd && (!isRefund || taker === null) && (
        <ActionButton
          route={endProposal}
          request={{ id }}
          label={own ? 'areas.proposals.withdraw' : 'areas.proposals.refuse'}
          done="areas.proposals.ended"
          tone="error"
          fields={[REASON]}
        >
          {content}
        </ActionButton>
      )}
    </Stack>
  )
}

/** The proposals that fit, on the page of what they are about; `taker` as for {@link DecideProposal}. */
export function ProposalsAbout({
  request,
  taker,
}: {
  request: RequestOf<typeof listProposals>
  taker?: string | null
}) {
  const answer = useReply(listProposals, request, { everyMs: 15_000 })
  // Mostly there are none: a placeholder would only move what stands below it, twice.
  if (answer.isPending) return null
  return (
    <Loaded answer={answer}>
      {({ list }) =>
        list.map((proposal) => <About key={proposal.id} proposal={proposal} taker={taker} />)
      }
    </Loaded>
  )
}

function About({ proposal, taker }: AboutOne) {
  const translate = useTranslate()
  const { kind, confirmed_by: confirmer } = proposal
  return (
    <Card sx={{ padding: 2, display: 'grid', gap: 1 }}>
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center', flexWrap: 'wrap' }}>
        <Typography variant="h2">
          {translate(`areas.proposals.kind.${kind}`)}: <Subject proposal={proposal} />
        </Typography>
        <ProposalState proposal={proposal} />
      </Stack>
      <Typography color="textSecondary">
        <By proposal={proposal} /> · <MomentText at={proposal.proposed_at} />
        {confirmer && ` · ${translate('areas.proposals.confirmedBy')} ${confirmer}`}
      </Typography>
      <Changes proposal={proposal} />
      <DecideProposal proposal={proposal} taker={taker} />
    </Card>
  )
}
