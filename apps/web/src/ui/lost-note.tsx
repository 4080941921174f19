import type { UseQueryResult } from '@tanstack/react-query'
import { useText } from '#src/i18n/text.ts'
import { Notice } from '#src/ui/notice.tsx'

/** Says that what is shown no longer follows, while the server gives no answer. */
export function LostNote({ query }: { query: UseQueryResult }) {
  const t = useText()
  return (
    <div role="status" hidden={!query.isRefetchError}>
      {query.isRefetchError && (
        <Notice icon="offline" tone="warn">
          {t('room.lost')}
        </Notice>
      )}
    </div>
  )
}
