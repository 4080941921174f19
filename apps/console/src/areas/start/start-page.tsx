import { Alert, Card, CardActionArea, Skeleton, Stack, Typography } from '@mui/material'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { listProposals } from '@sum28/contract/staff-proposal-routes.ts'
import { FAULTS, type Need, startFigures, startNeeds } from '@sum28/contract/staff-start-routes.ts'
import { lazyComponent } from '@sum28/ui/lazy-component.tsx'
import { Suspense } from 'react'
import { useTranslate } from 'react-admin'
import { Link } from 'react-router'
import { OwedAndHeld } from '#src/areas/money/reserves-page.tsx'
import { ProposalsAbout } from '#src/areas/proposals/proposal-parts.tsx'
import { Grid } from '#src/areas/start/grid.tsx'
import { useMay, useSession } from '#src/data/session.ts'
import { useReply } from '#src/data/use-reply.ts'
import { Loaded } from '#src/parts/loaded.tsx'
import { Page } from '#src/parts/page.tsx'
import { MomentText } from '#src/parts/values.tsx'

/** With the charts' library, which is a quarter of the console. */
const Figures = lazyComponent(async () => (await import('#src/areas/start/figures.tsx')).Figures)

const NEEDS_MS = 10_000
const FIGURES_MS = 60_000

/** The first page: what waits for the user and for others, and the figures of the day. */
export function StartPage() {
  const may = useMay()
  const needs = useReply(startNeeds, {}, { everyMs: NEEDS_MS })
  return (
    <Page title="areas.start.title">
      <Unreachable />
      <Loaded answer={needs}>{(reply) => <Needs needs={known(reply.needs)} />}</Loaded>
      <OwedAndHeld />
      {may('start.figures') && <Today />}
    </Page>
  )
}

/** That no alert reaches the user, who has no address: the first owner was made without one. */
function Unreachable() {
  const translate = useTranslate()
  const session = useSession()
  if (session?.email !== null) return null
  return (
    <Alert severity="warning">
      {translate('areas.staff.noEmail')} <Link to="/own">{translate('console.own.title')}</Link>
    </Alert>
  )
}

function Today() {
  const answer = useReply(startFigures, {}, { everyMs: FIGURES_MS })
  return (
    <Loaded answer={answer}>
      {(figures) => (
        <Suspense fallback={<Skeleton variant="rounded" height={320} />}>
          <Figures figures={figures} />
        </Suspense>
      )}
    </Loaded>
  )
}

export type WaitingNeed = ReplyOf<typeof startNeeds>['needs'][number]

function Needs({ needs }: { needs: readonly WaitingNeed[] }) {
  const translate = useTranslate()
  const may = useMay()
  const yours = needs.filter((each) => each.yours)
  const others = needs.filter((each) => !each.yours)
  return (
    <>
      <NeedsOf heading="areas.start.forYou" needs={yours} />
      {yours.length === 0 && <Alert severity="success">{translate('areas.start.nothing')}</Alert>}
      {may(listProposals.action) && yours.some(({ need }) => need === 'proposals_waiting') && (
        <ProposalsAbout request={FIRST_PROPOSALS} />
      )}
      <NeedsOf heading="areas.start.forOthers" needs={others} />
    </>
  )
}

/** The oldest of what waits for the user: decided without another page. */
const FIRST_PROPOSALS = { turn: 'you', order: 'asc', limit: 3 } as const

type Place = { list: string; filter?: Record<string, string>; sort?: string }

/**
 * The list of each need, filtered to exactly what is counted and the oldest first; or the page that tells of it; or null:
 * only the runbook does.
 */
const PLACES: Record<Need, Place | null> = {
  clocks_apart: { list: '/stops' },
  draws_late: { list: '/rounds', filter: { due: 'now' }, sort: 'draws_at' },
  log_waits: null,
  log_unwitnessed: { list: '/rounds' },
  chain_behind: { list: '/books' },
  chain_uncompared: null,
  mail_away: null,
  books_unchecked: null,
  owed_uncounted: { list: '/reserves' },
  reserves_short: { list: '/reserves' },
  returns_unlikely: null,
  audit_unsigned: { list: '/audit' },
  audit_broken: { list: '/audit' },
  jobs_failed: null,
  codes_used_up: null,
  staff_codes_guessed: { list: '/members' },
  seeds_short: null,
  withdrawals_waiting: { list: '/withdrawals', filter: { state: 'waiting' }, sort: 'queue' },
  payouts_due: { list: '/withdrawals', filter: { state: 'to_pay' }, sort: 'queue' },
  batches_open: { list: '/bank-batches', filter: { state: 'open' }, sort: 'id' },
  payouts_unseen: { list: '/withdrawals', filter: { state: 'on_chain' }, sort: 'queue' },
  payouts_wrong: { list: '/withdrawals', filter: { state: 'payout_wrong' }, sort: 'queue' },
  transfers_unmatched: {
    list: '/unmatched-transfers',
    filter: { state: 'waiting' },
    sort: 'block',
  },
  refunds_due: { list: '/held-deposits', filter: { due: 'now' }, sort: 'id' },
  rests_returned: { list: '/players', filter: { due: 'now' }, sort: 'registered_at' },
  proposals_waiting: { list: '/proposals', filter: {}, sort: 'id' },
  identities_waiting: { list: '/identities', filter: { state: 'waiting' }, sort: 'sent_at' },
  accounts_alike: { list: '/likenesses', filter: { state: 'open' }, sort: 'id' },
  accounts_frozen: { list: '/frozen-accounts', filter: {}, sort: 'frozen' },
  bank_balance_old: { list: '/reserves' },
  differences_found: { list: '/chain-differences', filter: { due: 'now' }, sort: 'id' },
  stops: { list: '/stops' },
}

/** Without those that only a later build than this page's knows: the notice of that build says so. */
function known(needs: readonly WaitingNeed[]): readonly WaitingNeed[] {
  return needs.filter(({ need }) => Object.hasOwn(PLACES, need))
}

/** The lists that tell whom each item waits for. */
const WITH_TURNS = [
  ...['/withdrawals', '/proposals', '/bank-batches'],
  ...['/unmatched-transfers', '/held-deposits'],
]

/** The address of a place, in react-admin's form; `yours`: of what waits for the user. */
function addressOf({ list, filter, sort }: Place, yours: boolean): string {
  if (!filter) return list
  const turn = WITH_TURNS.includes(list) && { turn: yours ? 'you' : 'others' }
  return addressIn(list, { ...filter, ...turn }, sort)
}

/** The address of a list with a filter, the oldest first. */
function addressIn(list: string, filter: object, sort: string | undefined): string {
  const asked = new URLSearchParams({ filter: JSON.stringify(filter) })
  if (sort) asked.append('sort', sort)
  asked.append('order', 'ASC')
  return `${list}?${asked}`
}

/** Of each list, by its path: how many tasks wait there for the user, and the address that lists exactly these. */
export function waitingLists(
  needs: readonly WaitingNeed[],
): ReadonlyMap<string, { count: number; address: string }> {
  const waiting = new Map<string, { count: number; address: string }>()
  for (const each of known(needs)) {
    const place = PLACES[each.need]
    if (!each.yours || place === null) continue
    const { list, sort } = place
    if (SHOWN_AS_FAULT.has(each.need) && !WITH_TURNS.includes(list)) continue
    const before = waiting.get(list)
    // Several needs of one list have nothing in common but whom they wait for.
    const address = before ? addressIn(list, { turn: 'you' }, sort) : addressOf(place, true)
    waiting.set(list, { count: (before?.count ?? 0) + each.count, address })
  }
  return waiting
}

const SHOWN_AS_FAULT: ReadonlySet<Need> = new Set(FAULTS)

/** The needs that wait for the user or for others: their number, their age, and a link or the runbook's section. */
function NeedsOf({ heading, needs }: { heading: string; needs: readonly WaitingNeed[] }) {
  const translate = useTranslate()
  if (needs.length === 0) return null
  return (
    <Stack component="section" sx={{ gap: 1 }}>
      <Typography variant="h2">{translate(heading)}</Typography>
      <Grid>
        {needs.map((each) => (
          <NeedCard key={each.need} need={each} />
        ))}
      </Grid>
    </Stack>
  )
}

function NeedCard({ need: waiting }: { need: WaitingNeed }) {
  const translate = useTranslate()
  const place = PLACES[waiting.need]
  if (place === null) {
    return (
      <Card sx={{ padding: 2 }}>
        <NeedText need={waiting} />
        <Typography variant="body2" color="textSecondary">
          {translate('areas.start.runbook', { need: waiting.need })}
        </Typography>
      </Card>
    )
  }
  return (
    <Card>
      <CardActionArea
        component={Link}
        to={addressOf(place, waiting.yours)}
        sx={{ padding: 2, height: '100%' }}
      >
        <NeedText need={waiting} />
      </CardActionArea>
    </Card>
  )
}

function NeedText({ need: { need, yours, count, since, hour, day } }: { need: WaitingNeed }) {
  const translate = useTranslate()
  const urgent = SHOWN_AS_FAULT.has(need) ? 'error.main' : 'warning.main'
  return (
    <>
      <Typography
        className="num"
        sx={{
          fontSize: 'var(--text-figure)',
          fontWeight: 'var(--weight-bold)',
          color: yours ? urgent : 'text.secondary',
        }}
      >
        {count}
      </Typography>
      <Typography>{translate(`areas.start.need.${need}`)}</Typography>
      {since !== null && (
        <Typography variant="body2" color="textSecondary">
          {translate('areas.start.since')} <MomentText at={since} />
        </Typography>
      )}
      {hour > 0 && (
        <Typography variant="body2" color="textSecondary">
          {translate('areas.start.ages', { hour, day })}
        </Typography>
      )}
    </>
  )
}
