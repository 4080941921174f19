/** A proposal of a member of staff: what changes, before and after, and its decision by another. */
import { Box, Card, Stack, Typography } from '@mui/material'
import type { RequestOf } from '@sum28/contract/route.ts'
import {
  confirmProposal,
  ENDED_ON_DUTY,
  endProposal,
  listProposals,
  type Proposal,
} from '@sum28/contract/staff-proposal-routes.ts'
import { formatShare } from '@sum28/domain/odds.ts'
import { RULES } from '@sum28/domain/outcomes.ts'
import { useTranslate } from 'react-admin'
import { Link } from 'react-router'
import { typedReturn } from '#src/areas/games/terms-draft.ts'
import { useMay, useSession } from '#src/data/session.ts'
import { useReply } from '#src/data/use-reply.ts'
import { ActionButton } from '#src/parts/action-button.tsx'
import { MomentText, MoneyText } from '#src/parts/values.tsx'

/** What it is about, with a link to its page. */
export function Subject({ proposal }: { proposal: Proposal }) {
  const { subject, name } = proposal
  const [kind, id] = subject.split(':')
  return <Link to={kind === 'reserves' ? '/reserves' : `/${kind}s/${id}/show`}>{name}</Link>
}

/** Each value that changes, before and after. */
export function Changes({ proposal }: { proposal: Proposal }) {
  const translate = useTranslate()
  return (
    <Box component="ul" sx={{ margin: 0, paddingInlineStart: 2 }}>
      {proposal.changes.map(({ what, before, after }) => {
        const outcome = /^odds (.+)$/.exec(what)?.[1]
        const Value = outcome === undefined ? MoneyText : Odds
        return (
          <li key={what}>
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

/** The buttons of a proposal that is open: its maker withdraws it, another person confirms or refuses it. */
export function DecideProposal({ proposal }: { proposal: Proposal }) {
  const translate = useTranslate()
  const may = useMay()
  const own = useSession()?.name === proposal.proposed_by
  const { id, kind, state, name, reason, proposed_by: by } = proposal
  const waits = state === 'confirmed' && kind === 'room_change'
  if (state !== 'proposed' && !waits) return null
  const mayEnd = may(confirmProposal.action) || ENDED_ON_DUTY.includes(kind)
  const content = (
    <>
      {translate(`areas.proposals.kind.${kind}`)}: {name}
      <Changes proposal={proposal} />
      {translate('areas.proposals.by', { by, reason })}
    </>
  )
  return (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
      {state === 'proposed' && !own && (
        <ActionButton
          route={confirmProposal}
          request={{ id }}
          label="areas.proposals.confirm"
          done="areas.proposals.confirmed"
        >
          {content}
          <p>{translate(`areas.proposals.effect.${kind}`)}</p>
        </ActionButton>
      )}
      {mayEnd && (
        <ActionButton
          route={endProposal}
          request={{ id }}
          label={own ? 'areas.proposals.withdraw' : 'areas.proposals.refuse'}
          done="areas.proposals.ended"
          tone="error"
          fields={[{ name: 'reason', label: 'areas.proposals.reason', long: true }]}
        >
          {content}
        </ActionButton>
      )}
    </Stack>
  )
}

/** The latest proposal that fits, on the page of what it is about. */
export function WaitingProposal({ request }: { request: RequestOf<typeof listProposals> }) {
  const translate = useTranslate()
  const { data } = useReply(listProposals, { ...request, limit: 1 }, { everyMs: 15_000 })
  const [proposal] = data?.list ?? []
  if (!proposal) return null
  return (
    <Card sx={{ padding: 2, display: 'grid', gap: 1 }}>
      <Typography variant="h2">
        {translate(`areas.proposals.kind.${proposal.kind}`)}:{' '}
        {translate(`areas.proposals.state.${proposal.state}`)}
      </Typography>
      <Typography color="textSecondary">
        {translate('areas.proposals.by', { by: proposal.proposed_by, reason: proposal.reason })} ·{' '}
        <MomentText at={proposal.proposed_at} />
      </Typography>
      <Changes proposal={proposal} />
      <DecideProposal proposal={proposal} />
    </Card>
  )
}
