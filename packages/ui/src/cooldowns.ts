/** Cooldowns by name, kept outside components, so that leaving a screen does not end one. */
import { useSecondsLeft } from '#src/countdown.ts'
import { createStore, useStore } from '#src/store.ts'

/** The end of each cooldown, as an instant of `performance.now()`. */
const endsAt = createStore<ReadonlyMap<string, number>>(new Map())

/** Starts or restarts a cooldown. */
export function startCooldown(name: string, seconds: number): void {
  endsAt.set(new Map(endsAt.get()).set(name, performance.now() + seconds * 1_000))
}

/** Whole seconds until a cooldown is over; 0 when there is none. */
export function useCooldown(name: string): number {
  return useSecondsLeft(useStore(endsAt).get(name) ?? null)
}
