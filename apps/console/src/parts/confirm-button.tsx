import { Alert, Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material'
import { type ReactNode, useState } from 'react'
import { useTranslate } from 'react-admin'

type ConfirmButtonProps = {
  /** A key of the catalogs: the text of the button and the dialog's heading. */
  label: string
  /** The question, which describes the effect; without one the button acts at once. */
  children: ReactNode
  /** Says, as a key of the catalogs, what the user may have forgotten; asked when the button is pressed. */
  warn?: () => string | null
  tone?: 'primary' | 'error'
  pending?: boolean
  /** The question stays until it has ended. */
  act: () => Promise<void> | void
}

/** A button that asks for confirmation, and then does something that is no `ActionButton`'s single call. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, children, warn, tone = 'primary', pending = false, act } = props
  const translate = useTranslate()
  const [open, setOpen] = useState(false)
  const warning = open ? (warn?.() ?? null) : null
  return (
    <>
      <Button color={tone} onClick={() => (children ? setOpen(true) : void act())}>
        {translate(label)}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)}>
        <DialogTitle>{translate(label)}</DialogTitle>
        <DialogContent>
          {warning !== null && (
            <Alert severity="warning" sx={{ marginBottom: 2 }}>
              {translate(warning)}
            </Alert>
          )}
          {children}
        </DialogContent>
        <DialogActions>
          <Button variant="text" onClick={() => setOpen(false)} disabled={pending}>
            {translate('ra.action.cancel')}
          </Button>
          <Button
            variant="contained"
            color={tone}
            loading={pending}
            onClick={async () => {
              // While it closes, a second press does nothing.
              const doing = open && act()
              // Without a wait it closes at once: a dialog that was opened returns the focus to the page.
              if (doing) await doing
              setOpen(false)
            }}
          >
            {translate(label)}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  )
}
