import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { href } from '#src/app/routes.ts'
import { configQuery } from '#src/data/config.ts'
import { useSession } from '#src/data/session-watch.ts'

const SupportSheet = lazy(async () => ({
  default: (await import('#src/sheets/support-sheet.tsx')).SupportSheet,
}))

type Support = {
  /** Opens the operator's chat; the sheet where he has none; the login screen to a stranger. */
  openSupport: () => void
  /** To be put somewhere into the screen. */
  supportSheet: ReactNode
}

/** Support, for whatever button leads there. */
export function useSupport(): Support {
  const navigate = useNavigate()
  const config = useQuery(configQuery)
  const signedIn = useSession() !== null
  const [asked, setAsked] = useState(false)
  const [open, setOpen] = useState(false)

  function openSupport() {
    const chat = config.data?.support_url
    if (!signedIn) navigate(href('login'))
    else if (chat && /^https?:\/\//.test(chat)) window.open(chat, '_blank', 'noopener,noreferrer')
    else {
      setAsked(true)
      setOpen(true)
    }
  }

  return {
    openSupport,
    supportSheet: asked && (
      <Suspense>
        <SupportSheet open={open} onClose={() => setOpen(false)} />
      </Suspense>
    ),
  }
}
