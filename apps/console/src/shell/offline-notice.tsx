import { Alert } from '@mui/material'
import { useOnline } from '@sum28/ui/use-window-value.ts'
import { useTranslate } from 'react-admin'

/** Shows that the device is offline: data may be stale, and actions fail. */
export function OfflineNotice() {
  const translate = useTranslate()
  const online = useOnline()
  if (online) return null
  return (
    <Alert severity="warning" role="status" sx={{ marginTop: 2 }}>
      {translate('console.failure.offline')}
    </Alert>
  )
}
