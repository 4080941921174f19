import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { href } from '#src/app/routes.ts'
import { configQuery } from '#src/data/config.ts'
import { useSession } from '#src/data/session-watch.ts'
import { chatAddress } from '#src/data/support-chat.ts'

type Support = {
  /** Opens the operator's chat; the support page where he has none; the login to a stranger. */
  openSupport: () => void
  /** Nothing any more: support is a page. */
  supportSheet: null
}

/** Support, for whatever button leads there. */
export function useSupport(): Support {
  const navigate = useNavigate()
  const config = useQuery(configQuery)
  const session = useSession()

  function openSupport() {
    const chat = chatAddress(config.data?.support_url)
    if (!session?.userId) navigate(href('login'))
    else if (chat) window.open(chat, '_blank', 'noopener,noreferrer')
    else navigate(href('support'))
  }

  return { openSupport, supportSheet: null }
}
