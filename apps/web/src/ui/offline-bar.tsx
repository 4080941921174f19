import { useSyncExternalStore } from 'react'
import { useText } from '#src/i18n/text.ts'
import { Icon } from '#src/ui/icon.tsx'
import styles from '#src/ui/offline-bar.module.css'

/** A line at the top while the device has no network. */
export function OfflineBar() {
  const t = useText()
  const online = useSyncExternalStore(watchNetwork, () => navigator.onLine)
  return (
    <div role="status">
      {!online && (
        <p className={styles.bar}>
          <Icon name="offline" size={18} />
          {t('offline.bar')}
        </p>
      )}
    </div>
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
