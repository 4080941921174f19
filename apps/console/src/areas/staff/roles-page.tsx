import Check from '@mui/icons-material/Check'
import { Card, Table, TableBody, TableCell, TableHead, TableRow } from '@mui/material'
import { STAFF_DOWNLOADS, STAFF_ROUTES } from '@sum28/contract/all-staff-routes.ts'
import { STAFF_ROLES } from '@sum28/contract/route.ts'
import { mayDo, STAFF_ACTIONS, type StaffAction } from '@sum28/contract/staff-actions.ts'
import { useTranslate } from 'react-admin'
import { SignInOfRoles } from '#src/areas/staff/passkeys.tsx'
import { Page } from '#src/parts/page.tsx'
import { scrolled } from '#src/parts/plain-table.tsx'

/** Every action that has a call, and what its calls do. */
const ACTIONS = (Object.keys(STAFF_ACTIONS) as StaffAction[])
  .map((action) => ({
    action,
    does: [...STAFF_ROUTES, ...STAFF_DOWNLOADS]
      .filter((call) => call.action === action)
      // A list is named before what is done with one of its rows, and before its file.
      .sort((one, other) => one.path.length - other.path.length)
      .map(({ summary }) => summary),
  }))
  .filter(({ does }) => does.length > 0)

/** The permissions of each role, from the table that the server uses. */
export function RolesPage() {
  const translate = useTranslate()
  return (
    <Page title="areas.staff.roles">
      <SignInOfRoles />
      <Card sx={{ overflow: 'auto' }} {...scrolled(translate('areas.staff.roles'))}>
        <Table size="small" stickyHeader>
          <TableHead>
            <TableRow>
              <TableCell>{translate('areas.staff.action')}</TableCell>
              <TableCell sx={{ width: '100%' }}>{translate('areas.staff.does')}</TableCell>
              {STAFF_ROLES.map((role) => (
                <TableCell key={role} align="center">
                  {translate(`console.roles.${role}`)}
                </TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            {ACTIONS.map(({ action, does }) => (
              <TableRow key={action}>
                <TableCell component="th" scope="row">
                  <InTwoLines action={action} />
                </TableCell>
                <TableCell sx={{ color: 'text.secondary' }}>
                  <Does all={does} />
                </TableCell>
                {STAFF_ROLES.map((role) => (
                  <TableCell key={role} align="center">
                    {mayDo(role, action) ? (
                      <Check fontSize="small" titleAccess={translate('areas.staff.may')} />
                    ) : (
                      <span aria-hidden="true">—</span>
                    )}
                  </TableCell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </Card>
    </Page>
  )
}

/** What an action does, in one line; where it is more, the rest opens. */
function Does({ all: [first, ...more] }: { all: readonly string[] }) {
  const translate = useTranslate()
  if (more.length === 0) return first
  return (
    <details>
      <summary>
        {first} {translate('areas.staff.andMore', { count: more.length })}
      </summary>
      {more.map((summary) => (
        <div key={summary}>{summary}</div>
      ))}
    </details>
  )
}

/** An action's name, with a possible line break after its area. */
function InTwoLines({ action }: { action: StaffAction }) {
  const [area, does] = action.split('.')
  return (
    <>
      {area}.<wbr />
      {does}
    </>
  )
}
