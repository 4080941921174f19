import { lazyComponent } from '@sum28/ui/lazy-component.tsx'
import { type ComponentType, Suspense, useState } from 'react'

/** A sheet whose code is loaded when it is first opened. Then it stays, so that it closes with its transition. */
export function lazySheet<Props extends { open: boolean }>(
  fetch: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Sheet = lazyComponent(fetch)
  return function LazySheet(props: Props) {
    const [wasOpened, setWasOpened] = useState(false)
    if (props.open && !wasOpened) setWasOpened(true)
    if (!wasOpened) return null
    return (
      <Suspense>
        <Sheet {...props} />
      </Suspense>
    )
  }
}
