/** Whether the server has a newer build of the app than the one that runs in this page. */

/**
 * The built files that a page of the server names, as one text, if this document has not loaded them all; null for the
 * build that runs, and for a page without the app.
 *
 * @param html the server's index.html as it is now.
 * @param loaded addresses of the scripts and styles in the document that runs.
 */
export function otherBuild(html: string, loaded: readonly string[]): string | null {
  const named = [...html.matchAll(/(?:src|href)="([^"]*\/assets\/[^"]+)"/g)].map(
    (match) => match[1] ?? '',
  )
  const isLoaded = (address: string) => loaded.some((each) => each.endsWith(address))
  return named.every(isLoaded) ? null : named.join(' ')
}

const CHECK_EVERY_MS = 15 * 60_000
/** The least time between two checks. */
const CHECK_GAP_MS = 5_000

/**
 * Checks the server's build now, whenever the page is shown again, and every 15 minutes while it is shown. Returns a
 * function that stops it.
 *
 * @param path where the server has the page of this app
 * @param onNewBuild called at each check that finds another build, with the text of `otherBuild`
 */
export function watchForNewBuild(path: string, onNewBuild: (build: string) => void): () => void {
  let lastAt = Number.NEGATIVE_INFINITY

  async function check() {
    const now = performance.now()
    if (document.hidden || now - lastAt < CHECK_GAP_MS) return
    lastAt = now
    const html = await currentPage(path)
    const build = html === null ? null : otherBuild(html, loadedFiles())
    if (build !== null) onNewBuild(build)
  }
  const ended = new AbortController()
  const { signal } = ended

  const timer = setInterval(check, CHECK_EVERY_MS)
  window.addEventListener('focus', check, { signal })
  window.addEventListener('online', check, { signal })
  document.addEventListener('visibilitychange', check, { signal })
  check()
  return () => {
    clearInterval(timer)
    ended.abort()
  }
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
