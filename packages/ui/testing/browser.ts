/**
 * Prepares the document of component tests: adds missing browser functions, and cleans up after
 * each test.
 */
import { afterAll, afterEach } from 'vitest'

type Fiber = {
  type: { name?: string; type?: { name?: string } } | string | null
  flags: number
  child: Fiber | null
  sibling: Fiber | null
  alternate: Fiber | null
}
type CommitListener = (renderer: number, root: { current: Fiber }) => void

type Hook = { onCommitFiberRoot: CommitListener }

/** React tells it of its commits, as its tool for developers. It looks for it once, as it is loaded. */
const global = globalThis as { __REACT_DEVTOOLS_GLOBAL_HOOK__?: Hook }
const hook: Hook = Object.assign(global.__REACT_DEVTOOLS_GLOBAL_HOOK__ ?? {}, {
  supportsFiber: true,
  inject: () => 1,
  onCommitFiberRoot() {},
  onCommitFiberUnmount() {},
})
global.__REACT_DEVTOOLS_GLOBAL_HOOK__ = hook

const { cleanup, configure } = await import('@testing-library/react')

/** The names of the components that are rendered until a change is complete, in the order of the alphabet. */
export async function renderedBy(change: () => Promise<unknown>): Promise<string[]> {
  const names = new Set<string>()
  hook.onCommitFiberRoot = (_, { current }) => addRendered(current, names)
  await change()
  hook.onCommitFiberRoot = () => {}
  return [...names].sort()
}

/** React's mark of a component that did work in a commit. */
const PERFORMED_WORK = 1

function addRendered({ type, flags, child, alternate }: Fiber, names: Set<string>): void {
  if (flags & PERFORMED_WORK && type !== null && typeof type !== 'string') {
    names.add(type.name ?? type.type?.name ?? 'unnamed')
  }
  // The same child: nothing below has been looked at.
  if (child === alternate?.child) return
  for (let each = child; each; each = each.sibling) addRendered(each, names)
}

// Not a measure of speed: only ends a wait for something that never comes.
configure({ asyncUtilTimeout: 30_000 })

// A phone's: on a wide screen the app has parts side by side.
window.innerWidth = 390

/** What waits for its time. It ends with its file, as with a page that is left: the last one's would run without a document. */
const waiting = new Set<NodeJS.Timeout>()
const setTimer = globalThis.setTimeout
globalThis.setTimeout = Object.assign(
  (run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
    const timer = setTimer(() => {
      waiting.delete(timer)
      run(...args)
    }, ms)
    waiting.add(timer)
    return timer
  },
  setTimer,
)
afterAll(() => {
  globalThis.setTimeout = setTimer
  for (const timer of waiting) clearTimeout(timer)
})

// Nothing is painted: the document is idle once it has nothing to do.
window.requestIdleCallback = (run) =>
  Number(setTimeout(run, 0, { didTimeout: false, timeRemaining: () => 0 }))
window.cancelIdleCallback = (request) => clearTimeout(request)

/** The intersection observers, each with its element. */
const watched = new Map<Element, IntersectionObserverCallback>()

/** There is no layout, so a test defines which elements are in view: see {@link bringIntoView}. */
class ManualIntersectionObserver implements IntersectionObserver {
  readonly root = null
  readonly rootMargin = ''
  readonly scrollMargin = ''
  readonly thresholds = [0]
  readonly #callback: IntersectionObserverCallback
  #elements: Element[] = []

  constructor(callback: IntersectionObserverCallback) {
    this.#callback = callback
  }

  observe(element: Element): void {
    this.#elements.push(element)
    watched.set(element, this.#callback)
  }

  unobserve(element: Element): void {
    watched.delete(element)
  }

  disconnect(): void {
    for (const element of this.#elements) watched.delete(element)
    this.#elements = []
  }

  takeRecords(): IntersectionObserverEntry[] {
    return []
  }
}

globalThis.IntersectionObserver = ManualIntersectionObserver

/** The number of observed elements that are not in view yet. */
export function waitingForView(): number {
  return watched.size
}

/** Reports all observed elements as in view. */
export function bringIntoView(): void {
  for (const [target, callback] of [...watched]) {
    const entry = { isIntersecting: true, target } as IntersectionObserverEntry
    callback([entry], {} as IntersectionObserver)
  }
}

afterEach(() => {
  cleanup()
  // The files of a worker share one document: the next test begins at the address, and with the storage, of a new one.
  history.replaceState(null, '', '/')
  localStorage.clear()
  sessionStorage.clear()
})
