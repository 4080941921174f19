import DOMPurify from 'dompurify'

/** The allowed elements and attributes: no scripts, forms, frames, styles or ids. */
const RULES = {
  ALLOWED_TAGS:
    'a abbr b blockquote br caption code dd del div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img ins li mark ol p pre q s small span strong sub sup table tbody td tfoot th thead tr u ul'.split(
      ' ',
    ),
  ALLOWED_ATTR: 'alt colspan dir height href lang rowspan src start title width'.split(' '),
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|tel:|\/(?![/\\]))/i,
  RETURN_DOM_FRAGMENT: true,
} as const

/**
 * The nodes of any HTML text, made safe. Pictures are loaded when they come near the screen, and
 * only from this site, as the page's policy demands; external links open in a new tab without
 * access to this one.
 *
 * @param addressOf where the picture of a path is loaded from
 */
export function safeFragment(
  html: string,
  addressOf: (path: string) => string = (path) => path,
): DocumentFragment {
  const fragment = DOMPurify.sanitize(html, {
    ...RULES,
    ALLOWED_TAGS: [...RULES.ALLOWED_TAGS],
    ALLOWED_ATTR: [...RULES.ALLOWED_ATTR],
  })
  for (const image of fragment.querySelectorAll('img')) dressImage(image, addressOf)
  for (const link of fragment.querySelectorAll('a')) dressLink(link)
  // Only the page's title is a heading of the first level.
  for (const heading of fragment.querySelectorAll('h1')) {
    const lower = document.createElement('h2')
    lower.append(...heading.childNodes)
    heading.replaceWith(lower)
  }
  // A table that is too wide scrolls by itself, also by keyboard.
  for (const table of fragment.querySelectorAll('table')) {
    const frame = document.createElement('div')
    frame.tabIndex = 0
    table.replaceWith(frame)
    frame.append(table)
  }
  return fragment
}

/** The path within the app that a link leads to, or null for an external link. */
export function ownPath(link: Element): string | null {
  const target = link.getAttribute('href') ?? ''
  return target.startsWith('/') ? target : null
}

function dressImage(image: HTMLImageElement, addressOf: (path: string) => string): void {
  const source = image.getAttribute('src') ?? ''
  if (!source.startsWith('/') && !source.startsWith('data:image/')) {
    image.replaceWith(image.alt)
    return
  }
  // Before the address, so that it applies when the browser would begin to load.
  image.loading = 'lazy'
  image.decoding = 'async'
  if (!image.hasAttribute('alt')) image.alt = ''
  image.src = addressOf(source)
}

function dressLink(link: HTMLAnchorElement): void {
  const target = link.getAttribute('href')
  if (target === null || ownPath(link) !== null || !/^https?:/i.test(target)) return
  link.target = '_blank'
  link.rel = 'noopener noreferrer nofollow'
}
