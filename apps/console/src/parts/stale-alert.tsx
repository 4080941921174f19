import { Alert, Button } from '@mui/material'
import { useTranslate } from 'react-admin'

type StaleAlertProps = {
  /** The text, in the user's language. */
  children: string
  /** A key of the catalogs: the button that loads the present values into the form. */
  label: string
  onReload: () => void
}

/** Warns that someone else has changed the record since the form was filled. */
export function StaleAlert({ children, label, onReload }: StaleAlertProps) {
  const translate = useTranslate()
  return (
    <Alert severity="warning" action={<Button onClick={onReload}>{translate(label)}</Button>}>
      {children}
    </Alert>
  )
}
