/** Whether the server has a newer build of the app than the one that runs in this page. */

/**
 * Whether a page of the server names a built file that this document has not loaded.
 *
 * @param html the server's index.html as it is now.
 * @param loaded addresses of the scripts and styles in the document that runs.
 */
export function isAnotherBuild(html: string, loaded: readonly string[]): boolean {
  const named = [...html.matchAll(/(?:src|href)="([^"]*\/assets\/[^"]+)"/g)].map(
    (match) => match[1] ?? '',
  )
  return named.some((address) => !loaded.some((each) => each.endsWith(address)))
}

const CHECK_EVERY_MS = 15 * 60_000
/** The least time between two checks. */
const CHECK_GAP_MS = 5_000

/**
 * Checks the server's build now, whenever the page is shown again, and every 15 minutes; calls
 * `onNewBuild` once. Returns a function that stops it.
 *
 * @param path where the server has the page of this app
 */
export function watchForNewBuild(path: string, onNewBuild: () => void): () => void {
  let lastAt = Number.NEGATIVE_INFINITY
  let reported = false

  async function check() {
    const now = performance.now()
    if (reported || now - lastAt < CHECK_GAP_MS) return
    lastAt = now
    const html = await currentPage(path)
    if (reported || html === null || !isAnotherBuild(html, loadedFiles())) return
    reported = true
    stop()
    onNewBuild()
  }
  const ended = new AbortController()
  const { signal } = ended
  function stop() {
    clearInterval(timer)
    ended.abort()
  }

  const timer = setInterval(check, CHECK_EVERY_MS)
  window.addEventListener('focus', check, { signal })
  window.addEventListener('online', check, { signal })
  document.addEventListener('visibilitychange', () => document.hidden || check(), { signal })
  check()
  return stop
}

/** The server's page, or null if it cannot be fetched now. */
async function currentPage(path: string): Promise<string | null> {
  try {
    const reply = await fetch(path, { cache: 'no-cache', credentials: 'omit' })
    return reply.ok ? await reply.text() : null
  } catch {
    return null
  }
}

function loadedFiles(): string[] {
  return [
    ...[...document.querySelectorAll('script[src]')].map((each) => each.getAttribute('src') ?? ''),
    ...[...document.querySelectorAll('link[href]')].map((each) => each.getAttribute('href') ?? ''),
  ]
}
