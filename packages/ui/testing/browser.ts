/**
 * Prepares the document of component tests: adds missing browser functions, and cleans up after
 * each test.
 */
import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// Not a measure of speed: only ends a wait for something that never comes.
configure({ asyncUtilTimeout: 30_000 })

// A phone's: on a wide screen the app has parts side by side.
window.innerWidth = 390

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

afterEach(() => cleanup())
