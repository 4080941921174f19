/** After the page has loaded: what is stored must hold up neither what is seen nor a first touch. */
const START_AFTER_MS = 6_000

/** Has the service worker store the app, once the page has been shown for a while. */
export function keepOffline(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const start = () => setTimeout(register, START_AFTER_MS)
  if (document.readyState === 'complete') start()
  else window.addEventListener('load', start, { once: true })
}

/** Has the worker fetch a build that has just come out, so that it is there without a network. */
export async function storeNewBuild(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker?.getRegistration()
    await registration?.update()
  } catch {
    // The browser asks again with the next page.
  }
}

async function register(): Promise<void> {
  try {
    await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' })
  } catch {
    // Refused, as in some private windows, or the network is away: the app runs all the same.
  }
}
