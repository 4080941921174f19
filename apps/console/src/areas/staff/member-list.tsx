import { Chip, Dialog, DialogContent, DialogTitle, Link, Stack, Typography } from '@mui/material'
import { STAFF_ROLES } from '@sum28/contract/route.ts'
import {
  closeMember,
  endMemberSession,
  memberSessions,
  proposeMember,
  resetMember,
  type WireMember,
} from '@sum28/contract/staff-house-routes.ts'
import { useState } from 'react'
import { BooleanField, TopToolbar, useTranslate } from 'react-admin'
import { ProposalsAbout } from '#src/areas/proposals/proposal-parts.tsx'
import { SessionTable } from '#src/areas/staff/own-page.tsx'
import { useSession } from '#src/data/session.ts'
import { useReply } from '#src/data/use-reply.ts'
import { ActionButton, type ActionField, REASON, useFreshProof } from '#src/parts/action-button.tsx'
import { Col, MomentCol } from '#src/parts/columns.tsx'
import { DataList } from '#src/parts/data-list.tsx'
import { searchFilter } from '#src/parts/filters.tsx'
import { Loaded } from '#src/parts/loaded.tsx'
import { Rows } from '#src/parts/rows.tsx'

const FILTERS = [searchFilter('areas.staff.searchMembers')]

const ROLES = STAFF_ROLES.map((value) => ({ value, label: `console.roles.${value}` }))

/** The members of staff, and what waits for another owner. */
export function MemberList() {
  const translate = useTranslate()
  return (
    <>
      <DataList filters={FILTERS} actions={<Invite />}>
        <Rows>
          <Col
            source="name"
            sx={{ minWidth: '11rem', overflowWrap: 'anywhere' }}
            render={({ name, email, codes_guessed: guessed }: WireMember) => (
              <>
                {name}
                <Typography variant="caption" color="textSecondary" component="div">
                  {email}
                </Typography>
                {guessed && <Chip color="error" label={translate('areas.staff.codesGuessed')} />}
              </>
            )}
          />
          <Col source="role" />
          <MomentCol source="last_sign_in" />
          <Col source="sessions" render={(member: WireMember) => <Sessions member={member} />} />
          <Col source="active">
            <BooleanField source="active" />
          </Col>
          <Col
            label="console.actions"
            render={(member: WireMember) => <Actions member={member} />}
          />
        </Rows>
      </DataList>
      <ProposalsAbout request={{ kind: 'member', state: 'proposed' }} />
    </>
  )
}

/** The fields of a member's role and address, with what he has now. */
function fieldsOf(member: Pick<WireMember, 'role' | 'email'> | null): ActionField[] {
  return [
    {
      name: 'role',
      label: 'resources.members.fields.role',
      choices: ROLES,
      initial: member?.role ?? 'support',
    },
    {
      name: 'email',
      label: 'resources.members.fields.email',
      initial: member?.email ?? '',
    },
    REASON,
  ]
}

function Invite() {
  const translate = useTranslate()
  const proof = useFreshProof()
  const name = {
    name: 'name',
    label: 'resources.members.fields.name',
    hint: 'areas.staff.nameHint',
  }
  return (
    <TopToolbar>
      <ActionButton
        route={proposeMember}
        request={{}}
        label="areas.staff.invite"
        done="areas.staff.proposed"
        fields={[name, ...fieldsOf(null), ...proof]}
      >
        {translate('areas.staff.inviteText')}
      </ActionButton>
    </TopToolbar>
  )
}

function Actions({ member }: { member: WireMember }) {
  const translate = useTranslate()
  const proof = useFreshProof()
  const self = useSession()?.name
  // Nobody changes, resets or closes his own account here.
  if (member.name === self) return null
  const { name, role, email, active } = member
  return (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
      <ActionButton
        route={proposeMember}
        request={{
          name,
          seen_role: role,
          seen_active: active ? 1 : 0,
          ...(email !== null && { seen_email: email }),
        }}
        label={active ? 'areas.staff.change' : 'areas.staff.openAgain'}
        done="areas.staff.proposed"
        fields={[...fieldsOf(member), ...proof]}
      >
        {name}
        {!active && <div>{translate('areas.staff.inviteText')}</div>}
      </ActionButton>
      {active && email !== null && (
        <ActionButton
          route={resetMember}
          request={{ name, seen_email: email }}
          label="areas.staff.reset"
          done="areas.staff.wasReset"
          tone="error"
        >
          {translate('areas.staff.resetText', { name, email })}
        </ActionButton>
      )}
      {active && (
        <ActionButton
          route={closeMember}
          request={{ name }}
          label="areas.staff.close"
          done="areas.staff.closed"
          tone="error"
        >
          {name}
        </ActionButton>
      )}
    </Stack>
  )
}

/** How many sessions a member has, as a button that shows them. */
function Sessions({ member }: { member: WireMember }) {
  const [open, setOpen] = useState(false)
  if (member.sessions === 0) return '—'
  return (
    <>
      <Link component="button" onClick={() => setOpen(true)}>
        {member.sessions}
      </Link>
      {open && <SessionDialog name={member.name} close={() => setOpen(false)} />}
    </>
  )
}

function SessionDialog({ name, close }: { name: string; close: () => void }) {
  const translate = useTranslate()
  const answer = useReply(memberSessions, { name })
  return (
    <Dialog open onClose={close} fullWidth maxWidth="md">
      <DialogTitle>{translate('areas.staff.sessionsOf', { name })}</DialogTitle>
      <DialogContent>
        <Loaded answer={answer}>
          {(sessions) => <SessionTable sessions={sessions} route={endMemberSession} />}
        </Loaded>
      </DialogContent>
    </Dialog>
  )
}
