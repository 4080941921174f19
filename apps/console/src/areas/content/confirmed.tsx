import { Alert, Button, Dialog, DialogActions, DialogContent, DialogTitle } from '@mui/material'
import { useId, useState } from 'react'
import { useTranslate } from 'react-admin'

type ConfirmedProps = {
  /** Keys of the catalogs: the button and heading, and what will happen. */
  label: string
  text: string
  pending: boolean
  act: () => Promise<void>
  tone?: 'primary' | 'error'
}

/** A button that acts after a question, with what a form on the page holds. */
export function Confirmed({ label, text, pending, act, tone = 'primary' }: ConfirmedProps) {
  const translate = useTranslate()
  const id = useId()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button color={tone} variant="outlined" onClick={() => setOpen(true)}>
        {translate(label)}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} aria-labelledby={id}>
        <DialogTitle id={id}>{translate(label)}</DialogTitle>
        <DialogContent>{translate(text)}</DialogContent>
        <DialogActions>
          <Button variant="text" onClick={() => setOpen(false)} disabled={pending}>
            {translate('ra.action.cancel')}
          </Button>
          <Button
            variant="contained"
            color={tone}
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

/** What is wrong besides the fields of a form. */
export function ActionFault({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <Alert severity="error" sx={{ marginTop: 2 }}>
      {text}
    </Alert>
  )
}
