import { Dialog } from '@sum28/ui/dialog.tsx'
import { useLastValue } from '@sum28/ui/use-last-value.ts'
import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { configQuery } from '#src/data/config.ts'
import { useText } from '#src/i18n/text.ts'
import type { Alert } from '#src/screens/room/room-state.ts'

const WORDS = {
  unknown: ['alert.unknown', 'alert.unknownText'],
  sealed: ['alert.sealed', 'alert.sealedText'],
  closed: ['alert.closed', 'alert.closedText'],
  stopped: ['alert.stopped', 'alert.stoppedText'],
  'all-stopped': ['alert.allStopped', 'alert.allStoppedText'],
  'wrong-round': ['alert.wrongRound', 'alert.wrongRoundText'],
} as const

/** Explains why a bet cannot be placed or followed. */
export const RoomAlert = memo(function RoomAlert({
  alert,
  onClose,
}: {
  alert: Alert | null
  onClose: () => void
}) {
  const t = useText()
  const { data: config } = useQuery(configQuery)
  const [title, words] = WORDS[useLastValue(alert) ?? 'closed']
  const hours = (config?.features.opening_hours ?? '10:00-02:00').replace('-', '–')
  return (
    <Dialog open={alert !== null} onClose={onClose} tone="warn" title={t(title)}>
      {t(words, { hours })}
    </Dialog>
  )
})
