import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { keptPiece } from '#src/code-piece.ts'

/** A component whose code is fetched when it is first shown; see `code-piece.ts` of what fails. */
export function lazyPiece<Props extends object>(
  fetch: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const piece = keptPiece(async () => ({ default: await fetch() }))
  let made: { from: unknown; Shown: LazyExoticComponent<ComponentType<Props>> } | null = null
  return function LazyPiece(props: Props) {
    const from = piece()
    // Another attempt needs another component: React keeps what has failed.
    if (made?.from !== from) made = { from, Shown: lazy(() => from) }
    return <made.Shown {...props} />
  }
}
