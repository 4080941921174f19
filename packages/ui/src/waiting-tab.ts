type WaitingTab = {
  /** Opens an address in it, without a referrer. */
  goTo: (address: string) => void
  close: () => void
}

/**
 * A tab that is opened directly by a press, for an address that is known later: browsers block tabs
 * that open later. Null if the browser blocks it.
 */
export function openWaitingTab(): WaitingTab | null {
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
