import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { showFailure } from '#src/data/failure.ts'
import styles from '#src/features/pull-to-refresh.module.css'
import { useText } from '#src/i18n/text.ts'
import { Icon } from '#src/parts/icon.tsx'
import { hideToast } from '#src/parts/toast-store.ts'

/** Pixels by which the content must be pulled down for a refresh. */
const ENOUGH = 56
const FURTHEST = 96

/** The content moves by this share of the finger's way. */
const SHARE = 0.45

type PullToRefreshProps = {
  /** Resolves when the data is refreshed; a rejection is shown in a toast. */
  onRefresh: () => Promise<unknown>
  children: ReactNode
}

/** A screen that is refreshed by pulling it down, or by a button that is seen while a key has brought the focus to it. */
export function PullToRefresh({ onRefresh, children }: PullToRefreshProps) {
  const t = useText()
  const region = useRef<HTMLDivElement>(null)
  const [pulled, setPulled] = useState(0)
  const [busy, setBusy] = useState(false)

  function refresh() {
    hideToast()
    setBusy(true)
    onRefresh()
      .catch(showFailure)
      .finally(() => setBusy(false))
  }
  const refreshByPull = useEffectEvent(refresh)

  useEffect(() => {
    const element = region.current
    if (!element || busy) return
    let from: number | null = null
    let distance = 0

    function start(event: TouchEvent) {
      const [touch] = event.touches
      from = touch && event.touches.length === 1 && window.scrollY <= 0 ? touch.clientY : null
    }
    function move(event: TouchEvent) {
      const [touch] = event.touches
      if (from === null || !touch) return
      if (window.scrollY > 0) from = null
      distance = from === null ? 0 : Math.min(FURTHEST, (touch.clientY - from) * SHARE)
      setPulled(Math.max(0, distance))
    }
    function end() {
      from = null
      setPulled(0)
      if (distance >= ENOUGH) refreshByPull()
      distance = 0
    }

    const ended = new AbortController()
    const { signal } = ended
    element.addEventListener('touchstart', start, { signal, passive: true })
    element.addEventListener('touchmove', move, { signal, passive: true })
    element.addEventListener('touchend', end, { signal })
    element.addEventListener('touchcancel', end, { signal })
    return () => ended.abort()
  }, [busy])

  const height = busy ? ENOUGH : pulled
  return (
    <div ref={region} className={styles.region} data-held={pulled > 0}>
      {/* For who cannot pull. */}
      <button type="button" className="skip" onClick={refresh}>
        {t('action.refresh')}
      </button>
      <div className={styles.sign} style={{ height }} role="status">
        {height > 0 && (
          <span className={styles.wheel} data-busy={busy} data-enough={pulled >= ENOUGH}>
            <Icon name="refresh" size={22} />
            {busy && <span className="unseen">{t('toast.loading')}</span>}
          </span>
        )}
      </div>
      {children}
    </div>
  )
}
