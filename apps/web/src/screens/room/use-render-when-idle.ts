import { whenIdle } from '@sum28/ui/when-idle.ts'
import { startTransition, useEffect, useState } from 'react'

/** Whether to render a hidden part: once the browser is idle, or as soon as it is needed. */
export function useRenderWhenIdle(wanted: boolean): boolean {
  const [made, setMade] = useState(wanted)
  if (wanted && !made) setMade(true)

  useEffect(() => {
    if (!made) return whenIdle(() => startTransition(() => setMade(true)))
  }, [made])

  return made || wanted
}
