/** What a player has set on this device, and it keeps: how the app looks; `device-signals.ts` has the rest. */
import { deviceStorage } from '@sum28/ui/storage.ts'
import { createStore, type Store } from '@sum28/ui/store.ts'

export const SCHEMES = ['system', 'light', 'dark'] as const
export type Scheme = (typeof SCHEMES)[number]

/** The colours of the app. The first script of the page reads the same name, so that it never begins in others. */
export const scheme = kept<Scheme>('scheme', SCHEMES)

/** A store whose value the device keeps; the first value, where it keeps none of them. */
export function kept<Value extends string>(name: string, [first, ...others]: readonly Value[]) {
  const value = others.find((each) => each === deviceStorage().getItem(name)) ?? (first as Value)
  const store = createStore(value)
  return {
    ...store,
    set: (next) => {
      deviceStorage().setItem(name, next)
      store.set(next)
    },
  } satisfies Store<Value>
}

/** Shows the page in the colours that are set, and follows them. */
export function followScheme(): void {
  showScheme()
  scheme.subscribe(showScheme)
}

function showScheme(): void {
  const chosen = scheme.get()
  if (chosen === 'system') delete document.documentElement.dataset.scheme
  else document.documentElement.dataset.scheme = chosen
  // The browser's own bar.
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[data-scheme]')) {
    const own = `(prefers-color-scheme: ${meta.dataset.scheme})`
    meta.media = chosen === 'system' ? own : chosen === meta.dataset.scheme ? 'all' : 'not all'
  }
}
