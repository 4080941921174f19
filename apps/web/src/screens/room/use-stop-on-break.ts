import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import type { PlayStop } from '#src/data/play-stop.ts'
import { type Protection, protectionQuery } from '#src/data/protection.ts'

/** A function that tells of the player's break, and answers whether there is one. */
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
