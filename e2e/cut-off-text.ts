/**
 * Finds text that a player cannot read in full: cut by a box that hides overflow, shortened with
 * dots, clamped to some lines, outside its button or the edge of the screen, or a placeholder wider
 * than its field; and short words that are broken over two lines.
 *
 * Each piece of text is measured where it is painted (a `Range` over its text node) against every
 * box around it. Text that can be reached by vertical scrolling is no fault; by horizontal
 * scrolling it is one, unless the box is meant for that. Exempt are the elements in MAY_BE_CUT, but for
 * tags in them that are narrower than their words, and texts for screen readers only (`.unseen`, or
 * clipped to nothing). Not checked: texts of `::before`, input values, overlapping texts.
 */
import type { Page } from '@playwright/test'

type Exemption = { selector: string; why: string }

/** Elements whose content is cut off on purpose. */
const MAY_BE_CUT: readonly Exemption[] = [
  {
    selector: '[data-may-be-cut]',
    why: 'a name or an address, not a text of ours, that is whole where its row leads or is copied',
  },
  {
    selector: '[inert]',
    why: 'a slide of a carousel that is not the one in view: it is seen whole when its turn comes',
  },
]

/** Boxes that are meant to be scrolled horizontally. */
const MAY_SCROLL_SIDEWAYS: readonly Exemption[] = [
  { selector: '[class*="_strip_"]', why: 'tabs, choices and cards that are swiped in one line' },
  { selector: 'ul[class*="_cards_"]', why: 'the rooms of a game, which are swiped side by side' },
  {
    selector: '[class*="_chosen_"]',
    why: 'the outcomes chosen in a bet, of which there may be 36',
  },
  {
    selector: 'section[tabindex="0"]',
    why: 'the trend table, whose columns move under their names',
  },
  { selector: 'article table, article pre', why: 'an operator’s own HTML: not ours to shorten' },
]

/**
 * The cut-off texts of a page, one line each: the text, the way it is cut, and its element.
 * Waits for animations that end by themselves, because a sliding text is cut on its way.
 */
export function cutOffText(page: Page): Promise<string[]> {
  return page.evaluate(ONCE)
}

/** What is cut off at two checks; at a single one a draw may just be sliding in. */
export function cutOffForGood(page: Page): Promise<string[]> {
  return page.evaluate(CUT_OFF_FOR_GOOD)
}

const EXEMPT = {
  mayBeCut: MAY_BE_CUT.map(({ selector }) => selector).join(),
  mayScroll: MAY_SCROLL_SIDEWAYS.map(({ selector }) => selector).join(),
}

const ONCE = `(${findCutOffText})(${JSON.stringify(EXEMPT)})`

/** A program for a page, whose value is what {@link cutOffForGood} finds. */
export const CUT_OFF_FOR_GOOD = `${ONCE}.then(async (once) => {
  if (once.length === 0) return once
  await new Promise((done) => setTimeout(done, 800))
  return ${ONCE}
})`

/** Runs in the page, so it cannot use anything of this module. */
async function findCutOffText(exempt: { mayBeCut: string; mayScroll: string }): Promise<string[]> {
  /** One pixel sideways is invisible; vertically, glyphs seldom fill the last fifth of their line. */
  const SIDEWAYS_PX = 1
  const UPRIGHT_PART = 0.2
  const CONTROL = 'button, a, summary, [role="tab"], [role="button"]'
  /** A short word in Latin letters, or a number: a longer one may be broken where it has no room. */
  const WORD = /(?<!\S)[\p{Script=Latin}\p{N}.,]{2,11}(?!\S)/gu
  const faults = new Set<string>()

  await Promise.race([
    Promise.all(
      document
        .getAnimations()
        .filter((each) => each.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map((each) => each.finished.catch(() => {})),
    ),
    new Promise((done) => setTimeout(done, 1_000)),
  ])

  const walker = document.createTreeWalker(document.body, 4)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    if (!element || !node.textContent?.trim() || !isRead(element)) continue
    const mayBeCut = element.closest(exempt.mayBeCut) !== null
    if (mayBeCut && !element.closest('[data-look]')) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    for (const rect of range.getClientRects()) {
      const how = rect.width > 0 && howCut(element, rect)
      if (!how || (mayBeCut && !how.startsWith('runs'))) continue
      report(node.textContent, how, element)
      break
    }
    const broken = brokenWord(node)
    if (broken) report(node.textContent, `has ‘${broken}’ on two lines`, element)
    if (!mayBeCut && isShortened(element)) report(node.textContent, 'ends in dots', element)
  }
  for (const field of document.querySelectorAll('input, select')) {
    if (!isRead(field) || field.closest(exempt.mayBeCut)) continue
    const text = field.options
      ? (field.options[field.selectedIndex]?.text ?? '')
      : field.value === ''
        ? field.placeholder
        : ''
    const beyond = widthOf(text, field) - innerWidthOf(field)
    if (beyond > SIDEWAYS_PX)
      report(text, `is ${Math.ceil(beyond)} px too long for its field`, field)
  }
  return [...faults]

  function isRead(element: PageElement): boolean {
    const seen = element.checkVisibility({
      opacityProperty: true,
      visibilityProperty: true,
      // Content outside the view may not be laid out yet; it will be before it is visible.
      contentVisibilityAuto: true,
    })
    const clipped = getComputedStyle(element).clipPath === 'inset(50%)'
    return seen && !clipped && !element.closest('.unseen, option, script, style')
  }

  function report(text: string, how: string, element: PageElement): void {
    const places: string[] = []
    for (let at: PageElement | null = element; at && places.length < 3; at = at.parentElement) {
      const name = at.getAttribute('class')?.split(' ')[0] ?? ''
      places.unshift(name === '' ? at.localName : `${at.localName}.${name}`)
    }
    const words = text.replace(/\s+/g, ' ').trim().slice(0, 60)
    faults.add(`‘${words}’ ${how} (${places.join(' > ')})`)
  }

  /** In which way a line of an element's own text is cut, or null. */
  function howCut(element: PageElement, rect: Rect): string | null {
    const slack = rect.height * UPRIGHT_PART
    const line = { ...edgesOf(rect), top: rect.top + slack, bottom: rect.bottom - slack }
    let sideways = true
    let upright = true
    let blockSeen = false
    let boxSeen = false
    /** Boxes that a positioned element escapes: those up to its containing block. */
    let leaves = ''
    for (let at: PageElement | null = element; at && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at)
      const contains =
        leaves === '' ||
        style.transform !== 'none' ||
        (leaves === 'absolute' && style.position !== 'static')
      if (contains) {
        leaves = ''
        const box = edgesOf(at.getBoundingClientRect())
        const [over, past] = [acrossOf(line, box), alongOf(line, box)]
        const inline = style.display === 'inline' || style.display === 'contents'
        if (!blockSeen && !inline) {
          blockSeen = true
          if (over > SIDEWAYS_PX && !at.matches(exempt.mayScroll))
            return `runs ${Math.ceil(over)} px out of its box`
        }
        const [x, y] = [style.overflowX, style.overflowY]
        const scrollsUpright = y === 'auto' || y === 'scroll'
        if (!boxSeen && !inline && (at.matches(CONTROL) || isPainted(style))) {
          boxSeen = true
          if ((sideways && over > SIDEWAYS_PX) || (upright && !scrollsUpright && past > 0)) {
            return 'runs out of the button or tile it is in'
          }
        }
        if (sideways && x !== 'visible' && !inline) {
          if (at.matches(exempt.mayScroll)) sideways = false
          else if (over > SIDEWAYS_PX) return `is cut ${Math.ceil(over)} px at its side`
        }
        if (upright && !inline) {
          if (scrollsUpright) upright = false
          else if (y !== 'visible' && past > 0) return 'is cut above or below'
        }
      }
      if (style.position === 'fixed') {
        const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight }
        if (upright && alongOf(line, screen) > 0) return 'is above or below the screen for good'
        leaves = 'fixed'
      }
      if (style.position === 'absolute' && leaves === '') leaves = 'absolute'
    }
    const { clientWidth } = document.documentElement
    const past = sideways ? Math.max(-rect.left, rect.right - clientWidth) : 0
    return past > SIDEWAYS_PX ? `is ${Math.ceil(past)} px beyond the screen` : null
  }

  /** A word of letters and digits that stands on two lines without a hyphen, or null. */
  function brokenWord(node: PageNode): string | null {
    const range = document.createRange()
    for (const { 0: word, index } of (node.textContent ?? '').matchAll(WORD)) {
      range.setStart(node, index)
      range.setEnd(node, index + word.length)
      const tops = [...range.getClientRects()]
        .filter((rect) => rect.width > 0)
        .map((rect) => rect.top)
      if (tops.some((top) => top !== tops[0])) return word
    }
    return null
  }

  function edgesOf({ left, top, right, bottom }: Rect) {
    return { left, top, right, bottom }
  }

  function acrossOf(line: Edges, box: Edges): number {
    return Math.max(box.left - line.left, line.right - box.right)
  }

  function alongOf(line: Edges, box: Edges): number {
    return Math.max(box.top - line.top, line.bottom - box.bottom)
  }

  function isPainted(style: Style): boolean {
    const clear = /^(transparent|rgba\(.*, 0\))$/.test(style.backgroundColor)
    return !clear || style.boxShadow !== 'none' || style.borderTopWidth !== '0px'
  }

  /** Dots may appear for half a pixel, which whole-pixel sizes do not show. */
  function isShortened(element: PageElement): boolean {
    const style = getComputedStyle(element)
    if (style.textOverflow !== 'ellipsis' || style.overflowX === 'visible') return false
    return element.scrollWidth > element.clientWidth
  }

  function widthOf(text: string, field: PageElement): number {
    const pen = document.createElement('canvas').getContext('2d')
    // A placeholder may be smaller than typed text.
    const style = getComputedStyle(field, field.options ? undefined : '::placeholder')
    pen.font = style.font
    pen.letterSpacing = style.letterSpacing
    return pen.measureText(text).width
  }

  function innerWidthOf(field: PageElement): number {
    const style = getComputedStyle(field)
    const padding = Number.parseFloat(style.paddingLeft) + Number.parseFloat(style.paddingRight)
    return field.clientWidth - padding
  }
}

/* The parts of a page that the function uses; the other programs here have no DOM types. */

type Edges = { left: number; top: number; right: number; bottom: number }
type Rect = Edges & { width: number; height: number }
type Style = Record<
  | 'backgroundColor'
  | 'borderTopWidth'
  | 'boxShadow'
  | 'clipPath'
  | 'display'
  | 'font'
  | 'letterSpacing'
  | 'overflowX'
  | 'overflowY'
  | 'paddingLeft'
  | 'paddingRight'
  | 'position'
  | 'textOverflow'
  | 'transform',
  string
>
type PageElement = {
  readonly parentElement: PageElement | null
  readonly localName: string
  readonly clientWidth: number
  readonly scrollWidth: number
  readonly value: string
  readonly placeholder: string
  /** Only of a select. */
  readonly options?: readonly { text: string }[]
  readonly selectedIndex: number
  checkVisibility(by: {
    opacityProperty: boolean
    visibilityProperty: boolean
    contentVisibilityAuto: boolean
  }): boolean
  closest(selector: string): PageElement | null
  matches(selector: string): boolean
  getAttribute(name: string): string | null
  getBoundingClientRect(): Rect
}
type PageNode = { readonly parentElement: PageElement | null; readonly textContent: string | null }
type Pen = {
  font: string
  letterSpacing: string
  measureText(text: string): { width: number }
}
type Animation = {
  readonly finished: Promise<unknown>
  readonly effect: { getComputedTiming(): { endTime: number } } | null
}

declare const document: {
  readonly body: PageElement
  readonly documentElement: PageElement
  createElement(name: 'canvas'): { getContext(kind: '2d'): Pen }
  createRange(): {
    selectNodeContents(node: PageNode): void
    setStart(node: PageNode, at: number): void
    setEnd(node: PageNode, at: number): void
    getClientRects(): Iterable<Rect>
  }
  createTreeWalker(root: PageElement, show: number): { nextNode(): PageNode | null }
  getAnimations(): Animation[]
  querySelectorAll(selector: string): Iterable<PageElement>
}
declare const innerWidth: number
declare const innerHeight: number
declare function getComputedStyle(element: PageElement, part?: string): Style
