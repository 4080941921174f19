import { type ComponentType, Suspense, useEffect, useState } from 'react'
import { lazyComponent } from '#src/lazy-component.tsx'
import { whenIdle } from '#src/when-idle.ts'

/**
 * An overlay whose code is loaded once the browser is idle, or when it is opened, so that a screen
 * does not wait for it. Until then nothing is shown; `chunk.ts` handles failures of an opened one.
 */
export function deferredOverlay<Props extends { open: boolean }>(
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
