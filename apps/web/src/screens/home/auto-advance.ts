import { prefersReducedMotion } from '@sum28/ui/reduced-motion.ts'
import { useEffect, useEffectEvent, useState } from 'react'

type AutoAdvance = {
  /** Whether it advances by itself; false at first with reduced motion. */
  playing: boolean
  setPlaying: (playing: boolean) => void
  /** For the moving element: it waits while it is touched, pointed at or focused. */
  hold: {
    onPointerEnter: () => void
    onPointerLeave: () => void
    onPointerCancel: () => void
    onFocus: () => void
    onBlur: () => void
  }
}

/** Calls `advance` repeatedly, unless it is paused, held or hidden. */
export function useAutoAdvance(everyMs: number, advance: () => void): AutoAdvance {
  const [playing, setPlaying] = useState(() => !prefersReducedMotion())
  const [held, setHeld] = useState(false)
  const onTime = useEffectEvent(advance)
  useEffect(() => {
    if (!playing || held) return
    const timer = setInterval(() => {
      if (!document.hidden) onTime()
    }, everyMs)
    return () => clearInterval(timer)
  }, [playing, held, everyMs])

  const take = () => setHeld(true)
  const release = () => setHeld(false)
  return {
    playing,
    setPlaying,
    hold: {
      onPointerEnter: take,
      onPointerLeave: release,
      onPointerCancel: release,
      onFocus: take,
      onBlur: release,
    },
  }
}
