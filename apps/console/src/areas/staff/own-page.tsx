import {
  Card,
  Chip,
  Stack,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  Typography,
} from '@mui/material'
import { endOwnSession, ownSessions, staffPasskeys } from '@sum28/contract/staff-own-routes.ts'
import { useTranslate } from 'react-admin'
import { OwnPasskeys } from '#src/areas/staff/passkeys.tsx'
import { RenewRecoveryCodes } from '#src/areas/staff/renew-recovery-codes.tsx'
import { useSession } from '#src/data/session.ts'
import { useReply } from '#src/data/use-reply.ts'
import { ActionButton } from '#src/parts/action-button.tsx'
import { Loaded } from '#src/parts/loaded.tsx'
import { Page } from '#src/parts/page.tsx'
import { MomentText } from '#src/parts/values.tsx'

/** The user's own account: passkeys, sessions, and the number of unused recovery codes. */
export function OwnPage() {
  const translate = useTranslate()
  const session = useSession()
  const answer = useReply(ownSessions, {})
  const { data: passkeys } = useReply(staffPasskeys, {})
  return (
    <Page title="console.own.title">
      <OwnPasskeys />
      {passkeys?.has_password && (
        <Card sx={{ padding: 3 }}>
          <Stack direction="row" sx={{ justifyContent: 'space-between', gap: 2, flexWrap: 'wrap' }}>
            <Typography>
              {translate('areas.staff.codesLeft', {
                smart_count: session?.recovery_codes_left ?? 0,
              })}
            </Typography>
            <RenewRecoveryCodes />
          </Stack>
        </Card>
      )}
      <Card sx={{ overflow: 'auto' }}>
        <Loaded answer={answer}>
          {(sessions) => (
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
                          route={endOwnSession}
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
          )}
        </Loaded>
      </Card>
    </Page>
  )
}
