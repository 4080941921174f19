/** The content of a room change, and its decision. */
import { Box, Stack } from '@mui/material'
import {
  confirmRoomChange,
  endRoomChange,
  type RoomChange,
} from '@sum28/contract/staff-games-routes.ts'
import { formatShare } from '@sum28/domain/odds.ts'
import { useTranslate } from 'react-admin'
import { LIMITS, typedReturn } from '#src/areas/games/terms-draft.ts'
import { useSession } from '#src/data/session.ts'
import { ActionButton } from '#src/parts/action-button.tsx'
import { MoneyText } from '#src/parts/values.tsx'

/** Each limit and odds that differ, before and after; for odds also the return. */
export function ChangeLines({ change }: { change: RoomChange }) {
  const translate = useTranslate()
  const { before, after, odds } = change
  return (
    <Box component="ul" sx={{ margin: 0, paddingInlineStart: 2 }}>
      {LIMITS.filter((name) => before[name] !== after[name]).map((name) => (
        <li key={name}>
          {translate(`areas.games.${name}`)}: <MoneyText value={before[name]} /> →{' '}
          <MoneyText value={after[name]} />
        </li>
      ))}
      {odds.map(({ rule_id: rule, outcome, ways, before: was, after: becomes }) => (
        <li key={rule}>
          {outcome}:{' '}
          <span className="num">
            {was} → {becomes} ({translate('areas.games.return')} {shareOf(ways, was)} →{' '}
            {shareOf(ways, becomes)})
          </span>
        </li>
      ))}
    </Box>
  )
}

function shareOf(ways: number, odds: string): string {
  const typed = typedReturn(ways, odds)
  return typed ? formatShare(typed.ppm) : '—'
}

/** The buttons of a change that is not effective yet; its proposer cannot confirm it. */
export function DecideChange({ change }: { change: RoomChange }) {
  const self = useSession()?.name
  const { id, state, proposed_by: proposer } = change
  if (state !== 'proposed' && state !== 'confirmed') return null
  return (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
      {state === 'proposed' && proposer !== self && (
        <ActionButton
          route={confirmRoomChange}
          request={{ id }}
          label="areas.games.confirmChange"
          done="areas.games.changeConfirmed"
        >
          <ChangeLines change={change} />
        </ActionButton>
      )}
      <ActionButton
        route={endRoomChange}
        request={{ id }}
        label="areas.games.endChange"
        done="areas.games.changeEnded"
        tone="error"
        fields={[{ name: 'reason', label: 'areas.games.reason', long: true, optional: true }]}
      >
        <ChangeLines change={change} />
      </ActionButton>
    </Stack>
  )
}
