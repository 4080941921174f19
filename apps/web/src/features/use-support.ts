import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { configQuery } from '#src/data/config.ts'
import { profileQuery } from '#src/data/profile.ts'
import { currentSession } from '#src/data/session-watch.ts'
import { useNavigateUnlessLeft } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'

/**
 * Support, for all buttons that open it.
 *
 * @returns a function that opens the operator's chat, or the support page if he has none; without a
 * session, or if the server cannot confirm it, the login
 */
export function useSupport(): { openSupport: () => void } {
  const navigate = useNavigateUnlessLeft()
  const queries = useQueryClient()
  const config = useQuery(configQuery)
  const asking = useRef(false)

  async function openSupport() {
    if (!currentSession()?.userId) {
      navigate(href('login'))
      return
    }
    if (asking.current) return
    asking.current = true
    const chat = chatAddress(config.data?.supportChat)
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

type WaitingTab = {
  /** Opens an address in it, without a referrer. */
  goTo: (address: string) => void
  close: () => void
}

/**
 * A tab that is opened directly by a press, for an address that is known later: browsers block tabs
 * that open later. Null if the browser blocks it.
 */
function openWaitingTab(): WaitingTab | null {
  const tab = window.open('', '_blank')
  if (!tab) return null
  tab.opener = null
  // If the page is reloaded meanwhile, the empty tab is closed.
  const close = () => tab.close()
  window.addEventListener('pagehide', close)
  const settled = () => window.removeEventListener('pagehide', close)
  return {
    goTo(address) {
      settled()
      const link = tab.document.createElement('a')
      link.href = address
      link.rel = 'noreferrer'
      tab.document.body.append(link)
      link.click()
    },
    close() {
      settled()
      tab.close()
    },
  }
}

/** The address of the operator's chat, or null if it is none that a browser may open. */
export function chatAddress(configured: string | null | undefined): string | null {
  return configured && /^https?:\/\//i.test(configured) ? configured : null
}
