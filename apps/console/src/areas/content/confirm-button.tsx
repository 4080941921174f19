import { Alert, Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material'
import { useState } from 'react'
import { useTranslate } from 'react-admin'

type ConfirmButtonProps = {
  /** Keys of the catalogs: `label` is the button and heading, `text` describes the effect. */
  label: string
  text: string
  /** Says, as a key of the catalogs, what the user may have forgotten; asked when the button is pressed. */
  warn?: () => string | null
  pending: boolean
  act: () => Promise<void>
}

/** A button that asks for confirmation, and then sends the values of a form on the page. */
export function ConfirmButton({ label, text, warn, pending, act }: ConfirmButtonProps) {
  const translate = useTranslate()
  const [open, setOpen] = useState(false)
  const warning = open ? (warn?.() ?? null) : null
  return (
    <>
      <Button variant="outlined" onClick={() => setOpen(true)}>
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
          {translate(text)}
        </DialogContent>
        <DialogActions>
          <Button variant="text" onClick={() => setOpen(false)} disabled={pending}>
            {translate('ra.action.cancel')}
          </Button>
          <Button
            variant="contained"
            loading={pending}
            onClick={async () => {
              await act()
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
