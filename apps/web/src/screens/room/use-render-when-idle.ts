import { startTransition, useEffect, useState } from 'react'

/** For browsers without `requestIdleCallback`. */
const LATER_MS = 300

/** Whether to render a hidden part: once the browser is idle, or as soon as it is needed. */
export function useRenderWhenIdle(wanted: boolean): boolean {
  const [made, setMade] = useState(wanted)
  if (wanted && !made) setMade(true)

  useEffect(() => {
    if (made) return
    const make = () => startTransition(() => setMade(true))
    if (typeof requestIdleCallback === 'undefined') {
      const timer = setTimeout(make, LATER_MS)
      return () => clearTimeout(timer)
    }
    const request = requestIdleCallback(make, { timeout: 2_000 })
    return () => cancelIdleCallback(request)
  }, [made])

  return made || wanted
}
