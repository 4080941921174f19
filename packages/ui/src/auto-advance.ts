import { useEffect, useRef, useState } from 'react'

type AutoAdvance = {
  /** Whether it goes by itself; false from the start for who wants no motion. */
  playing: boolean
  setPlaying: (playing: boolean) => void
  /** Put onto the moving thing: it waits while one touches, points at or focuses it. */
  hold: {
    onPointerEnter: () => void
    onPointerLeave: () => void
    onPointerCancel: () => void
    onFocus: () => void
    onBlur: () => void
  }
}

/** Calls `advance` again and again, as long as nobody paused, holds or hid it. */
export function useAutoAdvance(everyMs: number, advance: () => void): AutoAdvance {
  const [playing, setPlaying] = useState(() => !wantsNoMotion())
  const [held, setHeld] = useState(false)
  const latest = useRef(advance)
  useEffect(() => {
    latest.current = advance
  })
  useEffect(() => {
    if (!playing || held) return
    const timer = setInterval(() => {
      if (!document.hidden) latest.current()
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

/** Whether the person asked the system for less motion. */
export function wantsNoMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}
