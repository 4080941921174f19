import {
  Box,
  Button,
  Card,
  Dialog,
  DialogContent,
  DialogTitle,
  Stack,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  TextField,
  Typography,
} from '@mui/material'
import { type ReplyOf, STAFF_ROLES, type StaffRole } from '@sum28/contract/route.ts'
import {
  passkeyRoles,
  removeStaffPasskey,
  requirePasskey,
  staffPasskeys,
  staffProve,
} from '@sum28/contract/staff-own-routes.ts'
import { useState } from 'react'
import { useLogout, useNotify, useRefresh, useTranslate } from 'react-admin'
import { call, isSessionEnd } from '#src/data/call.ts'
import { FAILURE_NOTICE, failureOf } from '#src/data/failure.ts'
import { addPasskey, proveByPasskey } from '#src/data/passkeys.ts'
import { useSession } from '#src/data/session.ts'
import { useReply } from '#src/data/use-reply.ts'
import { ActionButton, PROOF } from '#src/parts/action-button.tsx'
import { ConfirmButton } from '#src/parts/confirm-button.tsx'
import { Loaded } from '#src/parts/loaded.tsx'
import { PlainTable } from '#src/parts/plain-table.tsx'
import { MomentText } from '#src/parts/values.tsx'
import { CallForm, useSignInCall } from '#src/sign-in/call-form.tsx'
import { CodeField, SignInField } from '#src/sign-in/sign-in-field.tsx'

type Own = ReplyOf<typeof staffPasskeys>
type Passkey = Own['list'][number]

/** The user's passkeys. What changes them asks first for a proof, if the last one is old. */
export function OwnPasskeys() {
  const answer = useReply(staffPasskeys, {})
  return (
    <Card sx={{ padding: 2 }}>
      <Loaded answer={answer}>{(own) => <Passkeys own={own} />}</Loaded>
    </Card>
  )
}

function Passkeys({ own }: { own: Own }) {
  const translate = useTranslate()
  const { change, pending, proving, proved, stop } = useChange()
  const [name, setName] = useState('')

  function remove({ id }: Passkey) {
    void change(() => call(removeStaffPasskey, { id }), 'areas.staff.passkeyRemoved')
  }

  return (
    <Stack sx={{ gap: 2 }}>
      <Typography variant="h2">{translate('areas.staff.passkeys')}</Typography>
      <Typography color="textSecondary">
        {translate(own.required ? 'areas.staff.passkeysRequired' : 'areas.staff.passkeysText')}
      </Typography>
      {own.list.length === 0 ? (
        <Typography>{translate('areas.staff.noPasskeys')}</Typography>
      ) : (
        <PasskeyTable own={own} remove={remove} />
      )}
      <Stack
        component="form"
        direction="row"
        sx={{ gap: 2, alignItems: 'center', flexWrap: 'wrap' }}
        onSubmit={(event) => {
          event.preventDefault()
          const named = name.trim() || translate('console.passkey.device')
          void change(() => addPasskey(named), 'areas.staff.passkeyAdded')
        }}
      >
        <TextField
          sx={{ width: '18rem', maxWidth: '100%' }}
          label={translate('console.passkey.name')}
          value={name}
          onChange={({ target }) => setName(target.value)}
          placeholder={translate('console.passkey.device')}
          slotProps={{ htmlInput: { maxLength: 40 } }}
          autoComplete="off"
        />
        <Button type="submit" variant="outlined" loading={pending}>
          {translate('areas.staff.addPasskey')}
        </Button>
      </Stack>
      {proving && <Proof own={own} proved={proved} close={stop} />}
    </Stack>
  )
}

/** Whether a passkey signs in: one that may have been copied does not. */
const signsIn = ({ cloned }: Passkey) => !cloned

function PasskeyTable({ own, remove }: { own: Own; remove: (passkey: Passkey) => void }) {
  const translate = useTranslate()
  const session = useSession()
  const needsOne = own.required || !session?.has_password
  const isNeeded = (passkey: Passkey) =>
    needsOne && !own.list.some((other) => other !== passkey && signsIn(other))
  return (
    <PlainTable
      label="areas.staff.passkeys"
      rows={own.list}
      keyOf={({ id }) => id}
      columns={[
        {
          heading: 'areas.staff.passkeyName',
          show: ({ name }) => <Box sx={{ overflowWrap: 'anywhere' }}>{name}</Box>,
        },
        {
          heading: 'areas.staff.passkeyMade',
          show: ({ created_at: at }) => <MomentText at={at} />,
        },
        { heading: 'areas.staff.passkeyUsed', show: (passkey) => <Use passkey={passkey} /> },
        {
          heading: 'console.actions',
          show: (passkey) =>
            isNeeded(passkey) ? null : (
              <ConfirmButton
                label="areas.staff.removePasskey"
                tone="error"
                act={() => remove(passkey)}
              >
                {translate('areas.staff.removePasskeyText', { name: passkey.name })}
              </ConfirmButton>
            ),
        },
      ]}
    />
  )
}

function Use({ passkey: { cloned, used_at } }: { passkey: Passkey }) {
  const translate = useTranslate()
  if (cloned) return <Typography color="error">{translate('areas.staff.passkeyCloned')}</Typography>
  return used_at === null ? translate('areas.staff.passkeyUnused') : <MomentText at={used_at} />
}

/** Changes how the user signs in; if the server wants a proof first, `proving` is true, and `proved` changes it then. */
function useChange() {
  const notify = useNotify()
  const refresh = useRefresh()
  const logout = useLogout()
  const [pending, setPending] = useState(false)
  const [waiting, setWaiting] = useState<(() => void) | null>(null)

  async function change(work: () => Promise<unknown>, done: string): Promise<void> {
    setPending(true)
    try {
      await work()
      notify(done, { type: 'success' })
      refresh()
    } catch (error) {
      if (isSessionEnd(error)) return logout()
      const { reason, text } = failureOf(error)
      if (reason === 'proof_required') setWaiting(() => () => void change(work, done))
      else notify(text, FAILURE_NOTICE)
    } finally {
      setPending(false)
    }
  }

  const stop = () => setWaiting(null)
  function proved() {
    stop()
    waiting?.()
  }
  return { change, pending, proving: waiting !== null, proved, stop }
}

/** Asks for a proof that it is the user: a passkey, or password and code. */
function Proof({ own, proved, close }: { own: Own; proved: () => void; close: () => void }) {
  const translate = useTranslate()
  const { run, pending, failure } = useSignInCall()
  const session = useSession()
  const [password, setPassword] = useState('')
  const [totp, setTotp] = useState('')

  async function prove(how: () => Promise<unknown>) {
    if (await run(() => how().then(() => true))) proved()
  }

  return (
    <Dialog open onClose={close} fullWidth maxWidth="xs">
      <DialogTitle>{translate('areas.staff.prove')}</DialogTitle>
      <DialogContent>
        <CallForm
          intro={<Typography>{translate('areas.staff.proveText')}</Typography>}
          failure={failure}
          submit={() => prove(() => call(staffProve, { password, totp }))}
        >
          {own.list.some(signsIn) && (
            <Button variant="contained" disabled={pending} onClick={() => prove(proveByPasskey)}>
              {translate('areas.staff.usePasskey')}
            </Button>
          )}
          {session?.has_password && (
            <>
              <SignInField
                name="password"
                label="console.signIn.password"
                value={password}
                set={setPassword}
                failure={failure}
                type="password"
                autoComplete="current-password"
              />
              <CodeField value={totp} set={setTotp} failure={failure} />
              <Button type="submit" variant="outlined" loading={pending}>
                {translate('areas.staff.prove')}
              </Button>
            </>
          )}
        </CallForm>
      </DialogContent>
    </Dialog>
  )
}

/** How the members of each role sign in; owners change it. */
export function SignInOfRoles() {
  const translate = useTranslate()
  const session = useSession()
  const answer = useReply(passkeyRoles, {})
  const { data: own } = useReply(staffPasskeys, {})
  // An owner without a passkey would shut himself out, and with him perhaps all who could change it back.
  const mayRequire = (role: StaffRole) => role !== 'owner' || own?.list.some(signsIn)
  return (
    <Card sx={{ overflow: 'auto' }}>
      <Loaded answer={answer}>
        {({ roles }) => (
          <Table size="small" aria-label={translate('areas.staff.signInOf')}>
            <TableHead>
              <TableRow>
                <TableCell colSpan={3}>{translate('areas.staff.signInOf')}</TableCell>
              </TableRow>
            </TableHead>
            <TableBody>
              {STAFF_ROLES.map((role) => {
                const isRequired = roles.includes(role)
                return (
                  <TableRow key={role}>
                    <TableCell component="th" scope="row">
                      {translate(`console.roles.${role}`)}
                    </TableCell>
                    <TableCell sx={{ width: '100%' }}>
                      {translate(isRequired ? 'areas.staff.withPasskey' : 'areas.staff.withEither')}
                    </TableCell>
                    <TableCell sx={{ whiteSpace: 'nowrap' }}>
                      {(isRequired || mayRequire(role)) && (
                        <ActionButton
                          route={requirePasskey}
                          request={{ role, required: !isRequired }}
                          label={
                            isRequired ? 'areas.staff.releasePasskey' : 'areas.staff.requirePasskey'
                          }
                          done="areas.staff.signInChanged"
                          fields={isRequired && session?.has_password ? PROOF : []}
                        >
                          {translate(
                            isRequired ? 'areas.staff.releaseText' : 'areas.staff.requireText',
                            { role: translate(`console.roles.${role}`) },
                          )}
                        </ActionButton>
                      )}
                    </TableCell>
                  </TableRow>
                )
              })}
            </TableBody>
          </Table>
        )}
      </Loaded>
    </Card>
  )
}
