import { Icon } from '@sum28/ui/icon.tsx'
import { serverNow, serverTimeOf } from '@sum28/ui/server-clock.ts'
import { dataTimeText } from '@sum28/ui/time-text.ts'
import { useOnline } from '@sum28/ui/use-window-value.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import styles from '#src/app/shell.module.css'
import { refetchShown, useStaleSince } from '#src/data/stale-data.ts'
import { useTimeFormat } from '#src/features/use-time-format.ts'
import { useText } from '#src/i18n/text.ts'

/** A line at the top while the device is offline, or while shown data could not be refreshed. */
export function OfflineBar() {
  const t = useText()
  const when = useTimeFormat()
  const online = useOnline()
  const staleSince = useStaleSince(online)
  const time =
    staleSince === null ? null : dataTimeText(serverTimeOf(staleSince), serverNow(), when)
  return (
    <div role="status">
      {(!online || time !== null) && (
        <p className={styles.offlineBar}>
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
  const { mutate, isPending } = useMutation({ mutationFn: () => refetchShown(queries) })
  return (
    <button
      type="button"
      className={styles.again}
      aria-disabled={isPending || undefined}
      onClick={() => isPending || mutate()}
    >
      {t('action.reload')}
    </button>
  )
}
