import { Alert } from '@mui/material'
import { useSyncExternalStore } from 'react'
import { useTranslate } from 'react-admin'

function listen(changed: () => void): () => void {
  window.addEventListener('online', changed)
  window.addEventListener('offline', changed)
  return () => {
    window.removeEventListener('online', changed)
    window.removeEventListener('offline', changed)
  }
}

/** Shows that the device is offline: data may be stale, and actions fail. */
export function OfflineNotice() {
  const translate = useTranslate()
  const online = useSyncExternalStore(listen, () => navigator.onLine)
  if (online) return null
  return (
    <Alert severity="warning" role="status" sx={{ marginTop: 2 }}>
      {translate('console.failure.offline')}
    </Alert>
  )
}
