import { openWaitingTab } from '@sum28/ui/waiting-tab.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useNavigate } from '#src/app/navigation.tsx'
import { href } from '#src/app/routes.ts'
import { configQuery } from '#src/data/config.ts'
import { profileQuery } from '#src/data/profile.ts'
import { useSession } from '#src/data/session-watch.ts'
import { chatAddress } from '#src/data/support-chat.ts'

/**
 * Support, for all buttons that open it.
 *
 * @returns a function that opens the operator's chat, or the support page if he has none; without a
 * session, or if the server cannot confirm it, the login
 */
export function useSupport(): { openSupport: () => void } {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const config = useQuery(configQuery)
  const session = useSession()
  const asking = useRef(false)

  async function openSupport() {
    if (!session?.userId) {
      navigate(href('login'))
      return
    }
    if (asking.current) return
    asking.current = true
    const chat = chatAddress(config.data?.support_url)
    const tab = chat === null ? null : openWaitingTab()
    try {
      const { id } = await queries.fetchQuery({ ...profileQuery, staleTime: 0 })
      if (!id) throw new Error('the server named no player')
      if (chat !== null && tab) tab.goTo(chat)
      else navigate(href('support'))
    } catch {
      tab?.close()
      navigate(href('login'))
    } finally {
      asking.current = false
    }
  }

  return { openSupport }
}
