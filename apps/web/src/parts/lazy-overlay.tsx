import { lazyComponent } from '@sum28/ui/lazy-component.tsx'
import { type ComponentType, Suspense, useEffect, useState } from 'react'
import { whenIdle } from '#src/parts/when-idle.ts'

/**
 * An overlay whose code is loaded when it is first opened; with `early` once the browser is idle, if that is sooner. So no
 * screen waits for it. Until then nothing is shown, and afterwards it stays, so that it opens and closes with its
 * transition; `chunk.ts` handles failures of an opened one.
 */
export function lazyOverlay<Props extends { open: boolean }>(
  load: () => Promise<ComponentType<Props>>,
  { early = false } = {},
): ComponentType<Props> {
  const Overlay = lazyComponent(load)

  return function LazyOverlay(props: Props) {
    const [stays, setStays] = useState(false)
    if (props.open && !stays) setStays(true)
    useEffect(() => {
      if (!early) return
      return whenIdle(() =>
        load().then(
          () => setStays(true),
          () => {},
        ),
      )
    }, [])
    if (!stays) return null
    return (
      <Suspense>
        <Overlay {...props} />
      </Suspense>
    )
  }
}
