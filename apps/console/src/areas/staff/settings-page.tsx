import { Card, Table, TableBody, TableCell, TableRow, Typography } from '@mui/material'
import { shownSettings } from '@sum28/contract/staff-start-routes.ts'
import { useTranslate } from 'react-admin'
import { useReply } from '#src/data/use-reply.ts'
import { Loaded } from '#src/parts/loaded.tsx'
import { Page } from '#src/parts/page.tsx'
import { scrolled } from '#src/parts/plain-table.tsx'

/** The settings, read only: they are changed in the environment. */
export function SettingsPage() {
  const translate = useTranslate()
  const answer = useReply(shownSettings, {})
  return (
    <Page title="areas.staff.settings">
      <Typography color="textSecondary">{translate('areas.staff.settingsText')}</Typography>
      <Card sx={{ overflow: 'auto' }} {...scrolled(translate('areas.staff.settings'))}>
        <Loaded answer={answer}>
          {({ list }) => (
            <Table size="small" aria-label={translate('areas.staff.settings')}>
              <TableBody>
                {list.map(({ name, value }) => (
                  <TableRow key={name}>
                    <TableCell component="th" scope="row">
                      {name}
                    </TableCell>
                    <TableCell sx={{ width: '100%', overflowWrap: 'anywhere' }}>
                      {value || '—'}
                    </TableCell>
                  </TableRow>
                ))}
              </TableBody>
            </Table>
          )}
        </Loaded>
      </Card>
    </Page>
  )
}
