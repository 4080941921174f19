import { Stack, Typography } from '@mui/material'
import {
  PROPOSAL_KINDS,
  PROPOSAL_STATES,
  type Proposal,
  unseenKinds,
} from '@sum28/contract/staff-proposal-routes.ts'
import { SelectInput, TextInput, TopToolbar, useTranslate } from 'react-admin'
import { ProposeAdjustment } from '#src/areas/money/propose-adjustment.tsx'
import { RecordBankDeposit } from '#src/areas/money/record-bank-deposit.tsx'
import {
  Changes,
  DecideProposal,
  ProposalState,
  Subject,
} from '#src/areas/proposals/proposal-parts.tsx'
import { useSession } from '#src/data/session.ts'
import { ActorAndTime, Col } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { searchFilter, stateFilter, turnFilter } from '#src/parts/filters.tsx'
import { Rows } from '#src/parts/rows.tsx'

const FILTERS = [
  searchFilter('areas.proposals.search'),
  <KindInput key="kind" source="kind" label="areas.proposals.kindLabel" alwaysOn />,
  stateFilter(PROPOSAL_STATES, 'areas.proposals.state'),
  turnFilter(),
  <TextInput key="subject" source="subject" label="areas.proposals.subject" />,
  <TextInput key="id" source="id" label="resources.proposals.fields.id" />,
]

/** A choice of a kind that the user may see. */
function KindInput(props: { source: string; label: string; alwaysOn: boolean }) {
  const role = useSession()?.role
  const unseen = role ? unseenKinds(role) : []
  const kinds = PROPOSAL_KINDS.filter((kind) => !unseen.includes(kind))
  const choices = kinds.map((id) => ({ id, name: `areas.proposals.kind.${id}` }))
  return <SelectInput {...props} choices={choices} />
}

/** Everything that one person proposes and another confirms: what waits, and the history. */
export function ProposalList() {
  const translate = useTranslate()
  return (
    <DataList filters={FILTERS} actions={<Propose />} refreshMs={15_000}>
      <Rows>
        <Col sorts source="id" />
        <Col
          source="name"
          render={(proposal: Proposal) => (
            <>
              <Subject proposal={proposal} />
              <Typography variant="caption" color="textSecondary" component="div">
                {translate(`areas.proposals.kind.${proposal.kind}`)}
              </Typography>
            </>
          )}
        />
        <Col source="changes" render={(proposal: Proposal) => <Changes proposal={proposal} />} />
        <Col source="reason" sx={{ minWidth: '10rem' }} />
        <Col source="proposed_by">
          <ActorAndTime by="proposed_by" at="proposed_at" />
        </Col>
        <Col
          source="state"
          className="actions"
          sx={{ minWidth: { lg: '12rem' } }}
          render={(proposal: Proposal) => (
            <Stack sx={{ gap: 1, alignItems: 'start' }}>
              <Decision proposal={proposal} />
            </Stack>
          )}
        />
      </Rows>
    </DataList>
  )
}

function Propose() {
  return (
    <TopToolbar>
      <RecordBankDeposit />
      <ProposeAdjustment />
    </TopToolbar>
  )
}

/** Who decided, and why; and the buttons of what is open. */
function Decision({ proposal }: { proposal: Proposal }) {
  const translate = useTranslate()
  const {
    first_confirmed_by: first,
    confirmed_by: confirmer,
    ended_by: ender,
    end_reason: why,
    effective_with: round,
  } = proposal
  return (
    <>
      <ProposalState proposal={proposal} />
      {first && translate('areas.proposals.firstConfirmedBy', { name: first })}
      {confirmer && (
        <div>
          <Typography variant="caption">{translate('areas.proposals.confirmedBy')}</Typography>
          <ActorAndTime by="confirmed_by" at="confirmed_at" />
        </div>
      )}
      {round && translate('areas.proposals.sinceRound', { round })}
      {ender && (
        <div>
          {why}
          <ActorAndTime by="ended_by" at="ended_at" />
        </div>
      )}
      <DecideProposal proposal={proposal} />
    </>
  )
}
