import { formatAmount } from '@sum28/domain/money.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { fetchEntryFunds } from '#src/data/entry-funds.ts'
import { needsLogin, showGenericFailure } from '#src/data/failure.ts'
import type { Game, Room } from '#src/data/games.ts'
import { profileQuery } from '#src/data/profile.ts'
import { useStatusWord } from '#src/features/round-clock.tsx'
import { useText } from '#src/i18n/text.ts'
import { useNavigateUnlessLeft } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { preloadScreen } from '#src/navigation/screens.ts'
import { showToast } from '#src/parts/toast-store.ts'

/**
 * Enters a room if a freshly fetched balance, with unsettled stakes, reaches its entry limit; the
 * room keeps checking the limit in its address. A stopped room cannot be entered; a closed one can,
 * without betting.
 *
 * @returns `entering`: the room whose entry limit is being checked, or null
 */
export function useEnterRoom(game: Game): {
  enter: (room: Room) => Promise<void>
  entering: number | null
} {
  const t = useText()
  const queries = useQueryClient()
  const navigate = useNavigateUnlessLeft()
  const statusWord = useStatusWord()
  const [entering, setEntering] = useState<number | null>(null)

  async function enter(room: Room) {
    if (room.status === 'stopped' || room.status === 'all-stopped') {
      showToast(statusWord(room.status))
      return
    }
    setEntering(room.id)
    preloadScreen('room')
    try {
      const profile = await queries.fetchQuery({ ...profileQuery, staleTime: 0 })
      const hasCash = profile.balance >= room.entryMin
      if (!hasCash && (await fetchEntryFunds()) < room.entryMin) {
        showToast(t('hall.insufficient'))
        return
      }
      const { id, title, entryMin } = room
      const requiredMoney = formatAmount(entryMin)
      const ids = { id: String(id), game_id: String(game.id) }
      navigate(href('room', { ...ids, name: game.name, title, requiredMoney }))
    } catch (error) {
      if (needsLogin(error)) {
        showToast(t('hall.pleaseLogIn'))
        navigate(href('login'))
      } else {
        showGenericFailure(error)
      }
    } finally {
      setEntering(null)
    }
  }

  return { enter, entering }
}
