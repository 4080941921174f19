/** Finds out whether the server has a newer build of the app than the running one, and says so. */
import { Button } from '@sum28/ui/button.tsx'
import { IconButton } from '@sum28/ui/icon.tsx'
import { useEffect, useState } from 'react'
import { keepOffline, storeNewBuild } from '#src/app/keep-offline.ts'
import styles from '#src/app/shell.module.css'
import { useText } from '#src/i18n/text.ts'

/**
 * Keeps the app on the device, and says that a newer build is available; the page does not reload by itself.
 *
 * @param shown false on screens with buttons that spend money, which it must not move or cover
 */
export function UpdateBar({ shown }: { shown: boolean }) {
  const t = useText()
  const [ready, setReady] = useState(false)
  useEffect(() => {
    keepOffline()
    return watchForNewBuild(() => {
      setReady(true)
      storeNewBuild()
    })
  }, [])

  return (
    // The region must exist before its text, or screen readers do not announce it.
    <div className={styles.updateRegion} role="status">
      {ready && shown && (
        <div className={styles.updateBar}>
          <p className="grow">{t('update.ready')}</p>
          <Button kind="soft" size="s" onClick={() => location.reload()}>
            {t('update.reload')}
          </Button>
          <IconButton icon="close" label={t('update.later')} onPress={() => setReady(false)} />
        </div>
      )}
    </div>
  )
}

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
 */
function watchForNewBuild(onNewBuild: () => void): () => void {
  let lastAt = Number.NEGATIVE_INFINITY
  let reported = false

  async function check() {
    const now = performance.now()
    if (reported || now - lastAt < CHECK_GAP_MS) return
    lastAt = now
    const html = await currentPage()
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
async function currentPage(): Promise<string | null> {
  try {
    const reply = await fetch('/', { cache: 'no-cache', credentials: 'omit' })
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
