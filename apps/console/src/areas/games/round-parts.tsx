/** Components that the list of rounds and the page of a round share. */
import { Chip } from '@mui/material'
import type { TimelineRound } from '@sum28/contract/staff-timeline-routes.ts'
import { serverNow } from '@sum28/ui/server-clock.ts'
import { useTranslate } from 'react-admin'
import type { Tone } from '#src/parts/values.tsx'

export const ROUND_TONES: Readonly<Record<string, Tone>> = {
  open: 'success',
  sealed: 'warning',
  drawn: 'warning',
  voided: 'error',
}

/** Whether a round can still be voided: so long before its end that the public log has it before the result is known. */
export function canBeVoided({ state, draws_at: end }: TimelineRound): boolean {
  return (state === 'open' || state === 'sealed') && (end - 10) * 1000 > serverNow()
}

/** Shows that voiding a running round is proposed. */
export function VoidProposed({ round }: { round: TimelineRound }) {
  const translate = useTranslate()
  if (!round.proposal || !canBeVoided(round)) return null
  return (
    <Chip
      variant="filled"
      color="warning"
      sx={{ marginInlineStart: 1 }}
      label={translate('areas.games.voidWaits')}
    />
  )
}

/** The mark of a round whose book no witness saw in time, once its value exists. */
export function NotWitnessed({ round }: { round: TimelineRound }) {
  const translate = useTranslate()
  if (round.witnessed !== false || round.draws_at * 1000 > serverNow()) return null
  return (
    <Chip
      color="warning"
      sx={{ marginInlineStart: 1 }}
      label={translate('areas.games.notWitnessed')}
    />
  )
}

/** The three digits and their sum: `1 2 3 = 6`. */
export function Digits({ digits }: { digits: TimelineRound['digits'] }) {
  if (!digits) return '—'
  const [first, second, third] = digits
  return (
    <span className="num">
      {digits.join(' ')} = {first + second + third}
    </span>
  )
}
