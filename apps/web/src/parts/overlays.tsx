import { lazyComponent } from '@sum28/ui/lazy-component.tsx'
import { type ComponentType, Suspense, useEffect, useState } from 'react'
import type { DialogProps } from '#src/parts/dialog-window.tsx'
import type { SheetProps } from '#src/parts/sheet-drawer.tsx'
import { whenIdle } from '#src/parts/when-idle.ts'

export type { DialogTone } from '#src/parts/dialog-window.tsx'

/** A dialog for a decision or an important message. A tap beside it does not close it. */
export const Dialog = deferredOverlay<DialogProps>(
  async () => (await import('#src/parts/dialog-window.tsx')).DialogWindow,
)

/** A panel from the bottom edge; closed by its button, a tap beside it, Escape or a swipe down. */
export const Sheet = deferredOverlay<SheetProps>(
  async () => (await import('#src/parts/sheet-drawer.tsx')).SheetDrawer,
)

/**
 * An overlay whose code is loaded once the browser is idle, or when it is opened, so that a screen
 * does not wait for it. Until then nothing is shown; `chunk.ts` handles failures of an opened one.
 *
 * Not a native modal `<dialog>`: it takes every live region outside of it from screen readers, even one in a popover above
 * it, so toasts and draws would not be read.
 */
function deferredOverlay<Props extends { open: boolean }>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Overlay = lazyComponent(load)

  return function DeferredOverlay(props: Props) {
    // Rendered closed too, so that it opens and closes with its transition.
    const [loaded, setLoaded] = useState(false)
    useEffect(
      () =>
        whenIdle(() =>
          load().then(
            () => setLoaded(true),
            () => {},
          ),
        ),
      [],
    )
    if (!loaded && !props.open) return null
    return (
      <Suspense fallback={null}>
        <Overlay {...props} />
      </Suspense>
    )
  }
}
