import { Alert, Card, CardActionArea, Typography } from '@mui/material'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { FAULTS, type Need, startFigures, startNeeds } from '@sum28/contract/staff-start-routes.ts'
import { useTranslate } from 'react-admin'
import { Link } from 'react-router'
import { OwedAndHeld } from '#src/areas/money/reserves-page.tsx'
import { Figures } from '#src/areas/start/figures.tsx'
import { Grid } from '#src/areas/start/grid.tsx'
import { useMay } from '#src/data/session.ts'
import { useReply } from '#src/data/use-reply.ts'
import { Loaded } from '#src/parts/loaded.tsx'
import { Page } from '#src/parts/page.tsx'
import { MomentText } from '#src/parts/values.tsx'

const NEEDS_MS = 10_000
const FIGURES_MS = 60_000

/** The first page: needs that wait for staff, and the figures of the day. */
export function StartPage() {
  const translate = useTranslate()
  const may = useMay()
  const needs = useReply(startNeeds, {}, { everyMs: NEEDS_MS })
  return (
    <Page title="areas.start.title">
      <section aria-label={translate('areas.start.needs')}>
        <Loaded answer={needs}>{(reply) => <Needs needs={reply.needs} />}</Loaded>
      </section>
      <OwedAndHeld />
      {may('start.figures') && <Today />}
    </Page>
  )
}

function Today() {
  const answer = useReply(startFigures, {}, { everyMs: FIGURES_MS })
  return <Loaded answer={answer}>{(figures) => <Figures figures={figures} />}</Loaded>
}

/** The page for each need. A filter has react-admin's form in the address. */
export const PLACES: Record<Need, string> = {
  clocks_apart: '/stops',
  draws_late: '/rounds',
  log_waits: '/rounds',
  chain_behind: '/chain-differences',
  mail_away: '/stops',
  books_unchecked: '/chain-differences',
  owed_uncounted: '/reserves',
  reserves_short: '/reserves',
  returns_unlikely: '/reports',
  audit_unsigned: '/audit',
  jobs_failed: '/stops',
  codes_used_up: '/stops',
  staff_codes_guessed: '/members',
  seeds_short: '/stops',
  withdrawals_waiting: `/withdrawals?filter=${encodeURIComponent('{"state":"waiting"}')}`,
  payouts_due: `/withdrawals?filter=${encodeURIComponent('{"state":"to_pay"}')}`,
  payouts_unseen: `/withdrawals?filter=${encodeURIComponent('{"state":"on_chain"}')}`,
  payouts_wrong: `/withdrawals?filter=${encodeURIComponent('{"state":"payout_wrong"}')}`,
  reversals_proposed: `/withdrawals?filter=${encodeURIComponent('{"state":"reversing"}')}`,
  transfers_unmatched: `/unmatched-transfers?filter=${encodeURIComponent('{"state":"waiting"}')}`,
  refunds_due: `/held-deposits?filter=${encodeURIComponent('{"state":"held"}')}`,
  proposals_waiting: `/proposals?filter=${encodeURIComponent('{"state":"proposed"}')}`,
  voids_proposed: `/proposals?filter=${encodeURIComponent('{"kind":"void","state":"proposed"}')}`,
  accounts_alike: `/likenesses?filter=${encodeURIComponent('{"state":"open"}')}`,
  differences_found: '/chain-differences',
  stops: '/stops',
}

const SHOWN_AS_FAULT: ReadonlySet<Need> = new Set(FAULTS)

/** The needs that wait for staff: their number, their age, and a link. */
function Needs({ needs }: { needs: ReplyOf<typeof startNeeds>['needs'] }) {
  const translate = useTranslate()
  if (needs.length === 0) {
    return <Alert severity="success">{translate('areas.start.nothing')}</Alert>
  }
  return (
    <Grid>
      {needs.map(({ need, count, since, hour, day }) => (
        <Card key={need}>
          <CardActionArea component={Link} to={PLACES[need]} sx={{ padding: 2, height: '100%' }}>
            <Typography
              className="num"
              sx={{
                ...{ fontSize: '1.75rem', fontWeight: 650 },
                color: SHOWN_AS_FAULT.has(need) ? 'error.main' : 'warning.main',
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
          </CardActionArea>
        </Card>
      ))}
    </Grid>
  )
}
