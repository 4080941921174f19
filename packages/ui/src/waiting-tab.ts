type WaitingTab = {
  /** Leads it to an address, which is told nothing of where it was opened. */
  goTo: (address: string) => void
  close: () => void
}

/**
 * A tab that is opened by the press itself, for an address that is known, or allowed, only later: a
 * browser lets nothing open after that. Null where it lets nothing open at all.
 */
export function openWaitingTab(): WaitingTab | null {
  const tab = window.open('', '_blank')
  if (!tab) return null
  tab.opener = null
  // A page that is loaded anew meanwhile leaves no empty tab behind.
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
