const REGIONS = 'section, dialog, [role="region"], [role="dialog"], [role="alertdialog"]'

/** How long a dialog or another screen has to move the focus itself. */
const WAIT_MS = 100

/** How long an answer may be awaited. */
const ANSWER_MS = 25_000

/**
 * Finds a new place for the focus when its element is removed or disabled, as by its own press: from the body, where a
 * browser leaves it, a keyboard begins again at the top and a screen reader says nothing. The place is the heading of
 * the dialog or section that is left around the element, else of the page. What the person leaves himself stays left.
 *
 * @param options `home`: what finds the place of a page's contents; `alsoNewPages`: for pages that do not take the focus
 *   themselves when they come
 * @returns a function that ends it
 */
export function keepFocus(
  page: Document,
  { home = 'h1, main', alsoNewPages = false } = {},
): () => void {
  /** The element with the focus, and what is around it. */
  let path = withAncestors(page.activeElement)
  /** What has the focus in place of an element that is disabled, and may be so only while an answer is awaited. */
  let stand: { place: HTMLElement; lost: HTMLElement; until: number } | null = null
  let pathname = page.location.pathname
  let ring = false
  let timer = 0

  const canHaveFocus = () => path[0]?.isConnected && !path[0].matches(':disabled')
  const isNowhere = () => [page.body, null].includes(page.activeElement as HTMLElement | null)

  function remember(event: FocusEvent): void {
    path = event.composedPath().filter((node) => node instanceof HTMLElement)
    pathname = page.location.pathname
    // A field has a ring for who points at it too.
    ring = path[0]?.matches(':focus-visible:not(input, textarea)') ?? false
  }

  /** Later, for some browsers say so before they remove an element. */
  function forgetWhatIsLeft(): void {
    queueMicrotask(() => {
      if (canHaveFocus() && isNowhere()) path = []
    })
  }

  function notice(): void {
    if (stand?.lost.isConnected && !stand.lost.matches(':disabled')) {
      const { place, lost, until } = stand
      stand = null
      if (page.activeElement === place && performance.now() < until)
        lost.focus({ preventScroll: true })
    }
    if (timer === 0 && path[0] && !canHaveFocus()) timer = window.setTimeout(move, WAIT_MS)
  }

  function move(): void {
    timer = 0
    const [lost] = path
    // Some browsers leave the focus on what is disabled.
    if (!lost || !(isNowhere() || page.activeElement === lost)) return
    // It can be pressed again, or another has got the focus meanwhile.
    if (canHaveFocus()) {
      lost.focus({ preventScroll: true })
      return
    }
    const isNewPage = pathname !== page.location.pathname
    const place = (isNewPage ? null : headingAround(path)) ?? page.querySelector<HTMLElement>(home)
    path = []
    if (!place || (isNewPage && !alsoNewPages)) return
    if (place.tabIndex < 0) place.tabIndex = -1
    place.style.outline = ring ? '' : 'none'
    place.focus({ preventScroll: true })
    // Keys may come to it later, and then see that they did.
    place.addEventListener('blur', () => place.style.removeProperty('outline'), { once: true })
    stand = lost.isConnected ? { place, lost, until: performance.now() + ANSWER_MS } : null
  }

  const observer = new MutationObserver(notice)
  observer.observe(page, { subtree: true, childList: true, attributeFilter: ['disabled'] })
  page.addEventListener('focusin', remember)
  page.addEventListener('focusout', forgetWhatIsLeft)
  return () => {
    observer.disconnect()
    clearTimeout(timer)
    page.removeEventListener('focusin', remember)
    page.removeEventListener('focusout', forgetWhatIsLeft)
  }
}

/** The own heading of the nearest region that is left, or that region. */
function headingAround(path: readonly HTMLElement[]): HTMLElement | null {
  const region = path.find((around) => around.isConnected && around.matches(REGIONS))
  if (!region) return null
  const headings = region.querySelectorAll<HTMLElement>('h1, h2, h3')
  return [...headings].find((heading) => heading.closest(REGIONS) === region) ?? region
}

/** An element that has the focus, and what is around it; nothing for the body. */
function withAncestors(element: Element | null): HTMLElement[] {
  if (!(element instanceof HTMLElement) || element.localName === 'body') return []
  return [element, ...withAncestors(element.parentElement)]
}
