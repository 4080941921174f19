import { Step, StepLabel, Stepper, Typography } from '@mui/material'
import type { RoundPage } from '@sum28/contract/staff-timeline-routes.ts'
import type { ReactNode } from 'react'
import { useTranslate } from 'react-admin'
import { Digits } from '#src/areas/games/round-parts.tsx'
import { MomentText } from '#src/parts/values.tsx'

type Event = {
  /** A key of the catalog. */
  name: string
  /** When it happened; null: not yet. */
  at: number | null
  /** When it is due. */
  due?: number
  more?: ReactNode
  failed?: boolean
}

/** The steps of a round with their times; those of a voided round end with the void. */
function eventsOf(round: RoundPage, texts: { voidedFor: ReactNode; bets: ReactNode }): Event[] {
  const { state, voided_at: voidedAt, settled_at: settledAt, book_closed_at: closedAt } = round
  const begun: Event[] = [
    { name: 'opened', at: round.opens_at },
    { name: 'book', at: closedAt, due: round.seals_at, more: closedAt && texts.bets },
  ]
  if (state === 'voided') {
    const reached = begun.filter(({ at }) => at !== null)
    return [
      ...reached,
      { name: 'voided', at: voidedAt, more: texts.voidedFor, failed: true },
      { name: 'refunded', at: settledAt },
    ]
  }
  return [
    ...begun,
    { name: 'beacon', at: round.value_at, due: round.draws_at, more: round.proof.beacon.round },
    {
      name: 'drawn',
      at: round.drawn_at,
      more: round.digits && <Digits digits={round.digits} />,
    },
    { name: 'settled', at: settledAt },
  ]
}

/** A round from left to right: the past steps with their times, and the time of the next one. */
export function RoundSteps({ round }: { round: RoundPage }) {
  const translate = useTranslate()
  const reason = round.void_reason && translate(`areas.games.voidReason.${round.void_reason}`)
  const { bets: count } = round
  const bets = count === null ? null : translate('areas.games.inBook', { smart_count: count })
  const events = eventsOf(round, { voidedFor: reason, bets })
  return (
    <Stepper
      alternativeLabel
      activeStep={events.filter(({ at }) => at !== null).length}
      aria-label={translate('areas.games.timeline')}
    >
      {events.map(({ name, at, due, more, failed = false }) => (
        <Step key={name} completed={at !== null}>
          <StepLabel error={failed}>
            {translate(`areas.games.step.${name}`)}
            {more !== null && more !== undefined && (
              <Typography component="div" className="num">
                {more}
              </Typography>
            )}
            <Typography component="div" variant="body2" color="textSecondary">
              {at !== null && <MomentText at={at} />}
              {at === null && due !== undefined && (
                <>
                  {translate('areas.games.due')} <MomentText at={due} />
                </>
              )}
            </Typography>
          </StepLabel>
        </Step>
      ))}
    </Stepper>
  )
}
