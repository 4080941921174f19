import { EmptyState } from '@sum28/ui/empty-state.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { gamesQuery } from '#src/data/games.ts'
import { useText } from '#src/i18n/text.ts'

/** Shown for a game without rooms. */
export function NoRooms() {
  const t = useText()
  const queries = useQueryClient()
  return (
    <EmptyState
      title={t('hall.noRooms')}
      onReload={() => void queries.refetchQueries({ queryKey: gamesQuery.queryKey })}
    />
  )
}
