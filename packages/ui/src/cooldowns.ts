/** Cooldowns by name, kept outside components, so that leaving a screen does not end one. */

import { useSyncExternalStore } from 'react'
import { useSecondsLeft } from '#src/countdown.ts'

const endsAt = new Map<string, number>()
const listeners = new Set<() => void>()

/** Starts or restarts a cooldown. */
export function startCooldown(name: string, seconds: number): void {
  endsAt.set(name, performance.now() + seconds * 1_000)
  for (const listener of listeners) listener()
}

/** Whole seconds until a cooldown is over; 0 when there is none. */
export function useCooldown(name: string): number {
  return useSecondsLeft(useSyncExternalStore(subscribe, () => endsAt.get(name) ?? null))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
