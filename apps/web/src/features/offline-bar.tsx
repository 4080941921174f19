import { Icon } from '@sum28/ui/icon.tsx'
import { dataTimeText } from '@sum28/ui/time-text.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import { refetchShown, useStaleSince } from '#src/data/stale-data.ts'
import styles from '#src/features/offline-bar.module.css'
import { useTimeFormat } from '#src/features/use-time-format.ts'
import { useText } from '#src/i18n/text.ts'

/** A line at the top while the device is offline, or while shown data could not be refreshed. */
export function OfflineBar() {
  const t = useText()
  const when = useTimeFormat()
  const online = useSyncExternalStore(watchNetwork, () => navigator.onLine)
  const staleSince = useStaleSince(online)
  const time = staleSince === null ? null : dataTimeText(staleSince, Date.now(), when)
  return (
    <div role="status">
      {(!online || time !== null) && (
        <p className={styles.bar}>
          <Icon name="offline" size={18} />
          <span>
            {time === null ? t('offline.bar') : t(online ? 'kept.asOf' : 'offline.asOf', { time })}
          </span>
          {online && <RefetchButton />}
        </p>
      )}
    </div>
  )
}

function RefetchButton() {
  const t = useText()
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  return (
    <button
      type="button"
      className={styles.again}
      aria-disabled={busy || undefined}
      onClick={() => {
        if (busy) return
        setBusy(true)
        refetchShown(queries).finally(() => setBusy(false))
      }}
    >
      {t('action.reload')}
    </button>
  )
}

function watchNetwork(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}
