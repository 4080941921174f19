import { Button, Dialog, DialogContent, DialogTitle, Stack } from '@mui/material'
import { renewRecoveryCodes } from '@sum28/contract/staff-own-routes.ts'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { useAction } from '#src/data/use-action.ts'
import { RecoveryCodes } from '#src/sign-in/recovery-codes.tsx'
import { SignInField } from '#src/sign-in/sign-in-field.tsx'

/** Creates new recovery codes, after password and code; the old ones become invalid. */
export function RenewRecoveryCodes() {
  const translate = useTranslate()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>{translate('areas.staff.renew')}</Button>
      {open && <RenewDialog close={() => setOpen(false)} />}
    </>
  )
}

function RenewDialog({ close }: { close: () => void }) {
  const translate = useTranslate()
  const { act, pending, failure } = useAction(renewRecoveryCodes)
  const [password, setPassword] = useState('')
  const [totp, setTotp] = useState('')
  const [codes, setCodes] = useState<readonly string[] | null>(null)

  async function submit() {
    const done = await act({ password, totp })
    if (done) setCodes(done.reply.recovery_codes)
  }

  return (
    <Dialog
      open
      onClose={codes ? undefined : close}
      fullWidth
      maxWidth="xs"
      aria-labelledby="renew"
    >
      <DialogTitle id="renew">{translate('areas.staff.renew')}</DialogTitle>
      <DialogContent>
        {codes ? (
          <RecoveryCodes codes={codes} done={close} />
        ) : (
          <form
            noValidate
            onSubmit={(event) => {
              event.preventDefault()
              void submit()
            }}
          >
            <Stack sx={{ gap: 2, paddingTop: 1 }}>
              <SignInField
                name="password"
                label="console.signIn.password"
                value={password}
                set={setPassword}
                failure={failure}
                type="password"
                autoComplete="current-password"
                autoFocus
              />
              <SignInField
                name="totp"
                label="console.signIn.code"
                value={totp}
                set={setTotp}
                failure={failure}
                autoComplete="one-time-code"
                inputMode="numeric"
              />
              <Button type="submit" variant="contained" loading={pending}>
                {translate('areas.staff.renew')}
              </Button>
            </Stack>
          </form>
        )}
      </DialogContent>
    </Dialog>
  )
}
