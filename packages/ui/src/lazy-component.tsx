import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { cachedChunk } from '#src/chunk.ts'

/** A component whose code is loaded when first shown; `chunk.ts` handles failures. */
export function lazyComponent<Props extends object>(
  fetch: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const piece = cachedChunk(async () => ({ default: await fetch() }))
  let made: { from: unknown; Shown: LazyExoticComponent<ComponentType<Props>> } | null = null
  return function LazyPiece(props: Props) {
    const from = piece()
    // A retry needs a new component: React caches a failure.
    if (made?.from !== from) made = { from, Shown: lazy(() => from) }
    return <made.Shown {...props} />
  }
}
