import { Card, Chip, Dialog, DialogContent, DialogTitle, Stack, Typography } from '@mui/material'
import type { ReplyOf } from '@sum28/contract/route.ts'
import type { endMemberSession } from '@sum28/contract/staff-house-routes.ts'
import {
  changeOwn,
  endOwnSession,
  ownSessions,
  renewRecoveryCodes,
} from '@sum28/contract/staff-own-routes.ts'
import { type ReactNode, useState } from 'react'
import { useTranslate } from 'react-admin'
import { OwnPasskeys } from '#src/areas/staff/passkeys.tsx'
import { loadSession, useSession } from '#src/data/session.ts'
import { useReply } from '#src/data/use-reply.ts'
import { ActionButton, PROOF } from '#src/parts/action-button.tsx'
import { Loaded } from '#src/parts/loaded.tsx'
import { Page } from '#src/parts/page.tsx'
import { PlainTable } from '#src/parts/plain-table.tsx'
import { MomentText } from '#src/parts/values.tsx'
import { RecoveryCodes } from '#src/sign-in/recovery-codes.tsx'

/** The user's own account: passkeys, password, address, recovery codes and sessions. */
export function OwnPage() {
  const translate = useTranslate()
  const session = useSession()
  const answer = useReply(ownSessions, {})
  return (
    <Page title="console.own.title">
      <OwnPasskeys />
      <Card sx={{ padding: 2, display: 'grid', gap: 2 }}>
        <Line text={session?.email ?? translate('areas.staff.noEmail')}>
          <ActionButton
            route={changeOwn}
            request={{}}
            label="areas.staff.changeEmail"
            done="areas.staff.emailChanged"
            then={() => void loadSession()}
            fields={[
              { name: 'email', label: 'resources.members.fields.email' },
              ...(session?.has_password ? PROOF : []),
            ]}
          >
            {translate('areas.staff.emailText')}
          </ActionButton>
        </Line>
        {session?.has_password && (
          <>
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
          </>
        )}
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
    <Stack
      direction="row"
      sx={{ justifyContent: 'space-between', alignItems: 'center', gap: 2, flexWrap: 'wrap' }}
    >
      <Typography sx={{ overflowWrap: 'anywhere' }}>{text}</Typography>
      {children}
    </Stack>
  )
}

/** Creates new recovery codes, after password and code; the old ones become invalid. */
function RenewRecoveryCodes() {
  const translate = useTranslate()
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  return (
    <>
      <ActionButton
        route={renewRecoveryCodes}
        request={{}}
        label="areas.staff.renew"
        fields={PROOF}
        then={(reply) => setCodes(reply.recovery_codes)}
      />
      {codes && (
        <Dialog open fullWidth maxWidth="xs">
          <DialogTitle>{translate('areas.staff.renew')}</DialogTitle>
          <DialogContent>
            <RecoveryCodes codes={codes} done={() => setCodes(null)} />
          </DialogContent>
        </Dialog>
      )}
    </>
  )
}

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
    <PlainTable
      label="areas.staff.sessions"
      rows={sessions}
      keyOf={({ id }) => id}
      columns={[
        { heading: 'areas.staff.begun', show: ({ begun_at: at }) => <MomentText at={at} /> },
        { heading: 'areas.staff.seen', show: ({ seen_at: at }) => <MomentText at={at} /> },
        { heading: 'areas.staff.from', show: ({ address }) => address },
        {
          heading: 'console.actions',
          show: ({ id, current, begun_at: at, address }) =>
            current ? (
              <Chip variant="filled" label={translate('areas.staff.thisOne')} />
            ) : (
              <ActionButton
                route={route}
                request={{ id }}
                label="areas.staff.endSession"
                done="areas.staff.sessionEnded"
                tone="error"
              >
                <MomentText at={at} /> · {address}
              </ActionButton>
            ),
        },
      ]}
    />
  )
}
