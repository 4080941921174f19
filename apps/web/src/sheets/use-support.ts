import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { href } from '#src/app/routes.ts'
import { configQuery } from '#src/data/config.ts'
import { useSession } from '#src/data/session-watch.ts'
import { chatAddress } from '#src/data/support-chat.ts'

/**
 * Support, for whatever button leads there.
 *
 * @returns what opens the operator's chat; the support page where he has none; the login to a
 *   stranger.
 */
export function useSupport(): { openSupport: () => void } {
  const navigate = useNavigate()
  const config = useQuery(configQuery)
  const session = useSession()

  function openSupport() {
    const chat = chatAddress(config.data?.support_url)
    if (!session?.userId) navigate(href('login'))
    else if (chat) window.open(chat, '_blank', 'noopener,noreferrer')
    else navigate(href('support'))
  }

  return { openSupport }
}
