import { Card, Stack, Typography } from '@mui/material'
import { changeOwn, endOwnSession, ownSessions } from '@sum28/contract/staff-own-routes.ts'
import type { ReactNode } from 'react'
import { useTranslate } from 'react-admin'
import { RenewRecoveryCodes } from '#src/areas/staff/renew-recovery-codes.tsx'
import { SessionTable } from '#src/areas/staff/session-table.tsx'
import { loadSession, useSession } from '#src/data/session.ts'
import { useReply } from '#src/data/use-reply.ts'
import { ActionButton, PROOF } from '#src/parts/action-button.tsx'
import { Loaded } from '#src/parts/loaded.tsx'
import { Page } from '#src/parts/page.tsx'

/** The user's own account: password, address, recovery codes and sessions. */
export function OwnPage() {
  const translate = useTranslate()
  const session = useSession()
  const answer = useReply(ownSessions, {})
  return (
    <Page title="console.own.title">
      <Card sx={{ padding: 3, display: 'grid', gap: 2 }}>
        <Line text={session?.email ?? translate('areas.staff.noEmail')}>
          <ActionButton
            route={changeOwn}
            request={{}}
            label="areas.staff.changeEmail"
            done="areas.staff.emailChanged"
            then={() => void loadSession()}
            fields={[{ name: 'email', label: 'resources.members.fields.email' }, ...PROOF]}
          >
            {translate('areas.staff.emailText')}
          </ActionButton>
        </Line>
        <Line text={translate('console.signIn.password')}>
          <ActionButton
            route={changeOwn}
            request={{}}
            label="areas.staff.changePassword"
            done="areas.staff.passwordChanged"
            fields={[
              { name: 'new_password', label: 'console.enrol.newPassword', type: 'password' },
              ...PROOF,
            ]}
          >
            {translate('areas.staff.passwordText')}
          </ActionButton>
        </Line>
        <Line
          text={translate('areas.staff.codesLeft', {
            smart_count: session?.recovery_codes_left ?? 0,
          })}
        >
          <RenewRecoveryCodes />
        </Line>
      </Card>
      <Card sx={{ overflow: 'auto' }}>
        <Loaded answer={answer}>
          {(sessions) => <SessionTable sessions={sessions} route={endOwnSession} />}
        </Loaded>
      </Card>
    </Page>
  )
}

function Line({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Stack direction="row" sx={{ justifyContent: 'space-between', gap: 2, flexWrap: 'wrap' }}>
      <Typography sx={{ overflowWrap: 'anywhere' }}>{text}</Typography>
      {children}
    </Stack>
  )
}
