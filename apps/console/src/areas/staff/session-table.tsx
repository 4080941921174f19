import { Chip, Table, TableBody, TableCell, TableHead, TableRow } from '@mui/material'
import type { ReplyOf } from '@sum28/contract/route.ts'
import type { endMemberSession } from '@sum28/contract/staff-house-routes.ts'
import type { endOwnSession, ownSessions } from '@sum28/contract/staff-own-routes.ts'
import { useTranslate } from 'react-admin'
import { ActionButton } from '#src/parts/action-button.tsx'
import { MomentText } from '#src/parts/values.tsx'

/** Sessions that have not ended; `route` ends one. */
export function SessionTable({
  sessions,
  route,
}: {
  sessions: ReplyOf<typeof ownSessions>
  route: typeof endOwnSession | typeof endMemberSession
}) {
  const translate = useTranslate()
  return (
    <Table size="small" aria-label={translate('areas.staff.sessions')}>
      <TableHead>
        <TableRow>
          <TableCell>{translate('areas.staff.begun')}</TableCell>
          <TableCell>{translate('areas.staff.seen')}</TableCell>
          <TableCell>{translate('areas.staff.from')}</TableCell>
          <TableCell>{translate('console.actions')}</TableCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {sessions.map(({ id, begun_at, seen_at, address, current }) => (
          <TableRow key={id}>
            <TableCell>
              <MomentText at={begun_at} />
            </TableCell>
            <TableCell>
              <MomentText at={seen_at} />
            </TableCell>
            <TableCell>{address}</TableCell>
            <TableCell>
              {current ? (
                <Chip size="small" label={translate('areas.staff.thisOne')} />
              ) : (
                <ActionButton
                  route={route}
                  request={{ id }}
                  label="areas.staff.endSession"
                  done="areas.staff.sessionEnded"
                  tone="error"
                />
              )}
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  )
}
