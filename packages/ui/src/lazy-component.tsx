import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { cachedChunk } from '#src/chunk.ts'

/** A component whose code is loaded when first shown; `chunk.ts` handles failures. */
export function lazyComponent<Props extends object>(
  fetch: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const load = cachedChunk(async () => ({ default: await fetch() }))
  let cached: { from: unknown; Shown: LazyExoticComponent<ComponentType<Props>> } | null = null
  return function LazyComponent(props: Props) {
    const from = load()
    // A retry needs a new component: React caches a failure.
    if (cached?.from !== from) cached = { from, Shown: lazy(() => from) }
    return <cached.Shown {...props} />
  }
}
