import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { type Protection, protectionQuery } from '#src/data/protection.ts'
import type { PlayStop } from '#src/screens/room/play-stop.ts'

/** Returns a function that reports whether the player is on a break, and shows it if so. */
export function useStopOnBreak(setStop: (stop: PlayStop) => void): () => boolean {
  const { data: exclusion = null } = useQuery({ ...protectionQuery, select: exclusionOf })
  const latest = useRef(exclusion)
  useEffect(() => {
    latest.current = exclusion
  }, [exclusion])
  return useCallback(() => {
    const { current } = latest
    if (!current) return false
    setStop({ kind: 'excluded', until: current.until })
    return true
  }, [setStop])
}

/** The room rerenders for this alone, and not for every limit that is used. */
function exclusionOf({ exclusion }: Protection): Protection['exclusion'] {
  return exclusion
}
