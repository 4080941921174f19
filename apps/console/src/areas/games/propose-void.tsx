import { proposeVoid } from '@sum28/contract/staff-proposal-routes.ts'
import type { RoundPage } from '@sum28/contract/staff-timeline-routes.ts'
import { useTranslate } from 'react-admin'
import { canBeVoided } from '#src/areas/games/round-parts.tsx'
import { ActionButton } from '#src/parts/action-button.tsx'

/** Proposes to void a round before its end. Empty if it is too late, or proposed. */
export function ProposeVoid({ round }: { round: RoundPage }) {
  const translate = useTranslate()
  const { game_id, issue, proposal } = round
  if (proposal || !canBeVoided(round)) return null
  return (
    <ActionButton
      route={proposeVoid}
      request={{ game_id, issue }}
      label="areas.games.proposeVoid"
      done="areas.games.voidProposed"
      tone="error"
      fields={[{ name: 'note', label: 'areas.games.reason', long: true }]}
    >
      {translate('areas.games.voidText')}
    </ActionButton>
  )
}
