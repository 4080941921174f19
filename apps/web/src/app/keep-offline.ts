/** The delay after the page has loaded, so that storing delays neither the page nor the first tap. */
const START_AFTER_MS = 6_000

/** Registers the service worker, which stores the app, some seconds after the page has loaded. */
export function keepOffline(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const start = () => setTimeout(register, START_AFTER_MS)
  if (document.readyState === 'complete') start()
  else window.addEventListener('load', start, { once: true })
}

/** Makes the worker fetch a new build, so that it is available offline. */
export async function storeNewBuild(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker?.getRegistration()
    await registration?.update()
  } catch {
    // The browser tries again with the next page.
  }
}

async function register(): Promise<void> {
  try {
    await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' })
  } catch {
    // Refused, as in some private windows, or offline: the app works without it.
  }
}
