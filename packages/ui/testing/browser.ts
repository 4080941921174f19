/** Prepares the document in which component tests run: what it lacks, and what each test leaves. */
import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// No measure of speed, only an end for what never comes.
configure({ asyncUtilTimeout: 60_000 })

/** The observers of what has come into view, each with the element that it watches. */
const watched = new Map<Element, IntersectionObserverCallback>()

/** There is no layout here, so a test says what has come into view: see {@link bringIntoView}. */
class ToldIntersectionObserver implements IntersectionObserver {
  readonly root = null
  readonly rootMargin = ''
  readonly scrollMargin = ''
  readonly thresholds = [0]
  readonly #tell: IntersectionObserverCallback
  #elements: Element[] = []

  constructor(tell: IntersectionObserverCallback) {
    this.#tell = tell
  }

  observe(element: Element): void {
    this.#elements.push(element)
    watched.set(element, this.#tell)
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

globalThis.IntersectionObserver = ToldIntersectionObserver

/** How many elements wait to come into view. */
export function waitingForView(): number {
  return watched.size
}

/** Tells everything that waits for it that it has come into view. */
export function bringIntoView(): void {
  for (const [target, tell] of [...watched]) {
    const entry = { isIntersecting: true, target } as IntersectionObserverEntry
    tell([entry], {} as IntersectionObserver)
  }
}

afterEach(() => cleanup())
