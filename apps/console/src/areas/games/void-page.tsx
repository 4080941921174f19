import { Card, Stack, Typography } from '@mui/material'
import { confirmVoid, proposeVoid } from '@sum28/contract/staff-round-routes.ts'
import { useTranslate } from 'react-admin'
import { ActionButton, type ActionField } from '#src/parts/action-button.tsx'
import { Page } from '#src/parts/page.tsx'

const ROUND: readonly ActionField[] = [
  { name: 'game_id', label: 'areas.games.gameNumber' },
  { name: 'issue', label: 'areas.games.issue' },
]

/** Voiding a round before its end: one person proposes, another confirms. */
export function VoidPage() {
  const translate = useTranslate()
  return (
    <Page title="areas.games.void">
      <Card sx={{ padding: 3 }}>
        <Stack sx={{ gap: 2, alignItems: 'start' }}>
          <Typography>{translate('areas.games.voidText')}</Typography>
          <Stack direction="row" sx={{ gap: 1 }}>
            <ActionButton
              route={proposeVoid}
              request={{}}
              label="areas.games.proposeVoid"
              done="areas.games.voidProposed"
              tone="error"
              fields={[...ROUND, { name: 'note', label: 'areas.games.reason', long: true }]}
            />
            <ActionButton
              route={confirmVoid}
              request={{}}
              label="areas.games.confirmVoid"
              done="areas.games.voided"
              tone="error"
              fields={ROUND}
            />
          </Stack>
        </Stack>
      </Card>
    </Page>
  )
}
