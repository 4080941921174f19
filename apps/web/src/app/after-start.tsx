/**
 * What the app loads after its first screen: the watch of the focus, of the language and of the day, and the bars that
 * say that data is old, and that the server has a newer build.
 */

import { keepFocus } from '@sum28/ui/keep-focus.ts'
import { watchForNewBuild } from '@sum28/ui/new-build.ts'
import { serverNow, serverTimeOf } from '@sum28/ui/server-clock.ts'
import { useOnline } from '@sum28/ui/use-window-value.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import styles from '#src/app/shell.module.css'
import { useRefetchEachDay } from '#src/data/game-day.ts'
import { useTimeFormat } from '#src/data/game-zone.ts'
import { refetchShown, useStaleSince } from '#src/data/stale-data.ts'
import { currentLanguageChoice } from '#src/i18n/activate-language.ts'
import { chooseLanguage } from '#src/i18n/choose-language.ts'
import { language, useText } from '#src/i18n/text.ts'
import { dataTimeText } from '#src/i18n/time-text.ts'
import { Button } from '#src/parts/button.tsx'
import { Icon, IconButton } from '#src/parts/icon.tsx'

/** Keeps the focus, which a press may lose, the chosen language, and the data of the present day. */
export function Watches() {
  useEffect(() => keepFocus(document), [])
  useFollowedLanguage()
  useRefetchEachDay()
  return null
}

/** Follows the system's language if that was chosen, and a choice in another tab, in which the server answers here too. */
function useFollowedLanguage(): void {
  const queries = useQueryClient()
  useEffect(() => {
    const ended = new AbortController()
    const { signal } = ended
    async function follow() {
      const { type, locale } = currentLanguageChoice()
      if (locale === language.get().locale) return
      try {
        // A screen that is open waits for none of its texts then.
        if (await chooseLanguage(type)) queries.invalidateQueries()
      } catch {
        // Without a network the language stays.
      }
    }
    const followSystem = () => currentLanguageChoice().type === 0 && follow()
    // Of a choice, the locale is stored last.
    const followTab = ({ key }: StorageEvent) => key === 'locale' && follow()
    window.addEventListener('languagechange', followSystem, { signal })
    window.addEventListener('storage', followTab, { signal })
    // It may have changed while the app was loaded.
    followSystem()
    return () => ended.abort()
  }, [queries])
}

/** A line at the top while the device is offline, or while shown data could not be refreshed. */
export function OfflineBar() {
  const t = useText()
  const when = useTimeFormat()
  const online = useOnline()
  const staleSince = useStaleSince(online)
  const time =
    staleSince === null ? null : dataTimeText(serverTimeOf(staleSince), serverNow(), when)
  return (
    <div role="status" aria-live="polite">
      {(!online || time !== null) && (
        <p className={styles.offlineBar}>
          <Icon name="offline" size={18} />
          <span>
            {time === null ? t('offline.bar') : t(online ? 'kept.asOf' : 'offline.asOf', { time })}
          </span>
          {online && <RefetchButton />}
        </p>
      )}
    </div>
  )
}

function RefetchButton() {
  const t = useText()
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  function refetch() {
    if (busy) return
    setBusy(true)
    refetchShown(queries).finally(() => setBusy(false))
  }
  return (
    <button
      type="button"
      className={styles.again}
      aria-disabled={busy || undefined}
      onClick={refetch}
    >
      {t('action.reload')}
    </button>
  )
}

/**
 * Keeps the app on the device, and says that a newer build is available; the page does not reload by itself.
 *
 * @param shown false on screens with buttons that spend money, which it must not move or cover
 */
export function UpdateBar({ shown }: { shown: boolean }) {
  const t = useText()
  const [newest, setNewest] = useState<string | null>(null)
  const [putOff, setPutOff] = useState<string | null>(null)
  useEffect(() => {
    keepOffline()
    return watchForNewBuild('/', (build) => {
      setNewest(build)
      storeNewBuild()
    })
  }, [])

  return (
    // The region must exist before its text, or screen readers do not announce it.
    <div className={styles.updateRegion} role="status" aria-live="polite">
      {newest !== putOff && shown && (
        <div className={styles.updateBar}>
          <p className="grow">{t('update.ready')}</p>
          <Button kind="soft" size="s" onClick={() => location.reload()}>
            {t('update.reload')}
          </Button>
          <IconButton icon="close" label={t('update.later')} onPress={() => setPutOff(newest)} />
        </div>
      )}
    </div>
  )
}

/** The delay after the page has loaded, so that storing delays neither the page nor the first tap. */
const START_AFTER_MS = 6_000

function keepOffline(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const start = () => setTimeout(register, START_AFTER_MS)
  if (document.readyState === 'complete') start()
  else window.addEventListener('load', start, { once: true })
}

/** Makes the worker fetch a new build, so that it is available offline. */
async function storeNewBuild(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker?.getRegistration()
    await registration?.update()
  } catch {
    // The next check tries again.
  }
}

async function register(): Promise<void> {
  try {
    await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' })
  } catch {
    // Refused, as in some private windows, or offline: the app works without it.
  }
}
