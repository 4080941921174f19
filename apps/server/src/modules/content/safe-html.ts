/** Makes the operator's HTML safe before it is stored: only what is allowed here stays. */
import sanitizeHtml, { type IOptions } from 'sanitize-html'

/** A path within the app: its content security policy allows no other pictures. */
const OWN_PATH = /^\/(?!\/)[\w./-]+$/

const SAFE: IOptions = {
  allowedTags: [
    ...['h2', 'h3', 'h4', 'p', 'br', 'hr', 'blockquote', 'pre', 'code'],
    ...['strong', 'b', 'em', 'i', 'u', 's', 'sub', 'sup', 'a'],
    ...['ul', 'ol', 'li', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
    ...['figure', 'figcaption', 'img'],
  ],
  allowedAttributes: {
    a: ['href', 'rel', 'target'],
    img: ['src', 'alt', 'width', 'height', 'loading'],
    th: ['colspan', 'rowspan', 'scope'],
    td: ['colspan', 'rowspan'],
  },
  allowedSchemes: ['https', 'mailto'],
  allowProtocolRelative: false,
  nestingLimit: 20,
  transformTags: {
    h1: 'h2',
    // External links open a new tab and send no referrer.
    a: (tagName, { href = '' }) => ({ tagName, attribs: linkTo(href.trim()) }),
    img: (tagName, { src = '', alt = '', width = '', height = '' }) => ({
      tagName,
      attribs: {
        ...(isOwnPath(src) ? { src } : {}),
        alt,
        ...(/^\d{1,4}$/.test(width) ? { width } : {}),
        ...(/^\d{1,4}$/.test(height) ? { height } : {}),
        loading: 'lazy',
      },
    }),
  },
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !attribs.src,
}

/** An internal link, an external link, or, for any other address, no link. */
function linkTo(href: string): Record<string, string> {
  if (isOwnPath(href)) return { href }
  const elsewhere =
    /^(https:\/\/[^\s"'<>\\]+|mailto:[^\s"'<>\\]+)$/i.test(href) && URL.canParse(href)
  return elsewhere ? { href, rel: 'noopener noreferrer nofollow', target: '_blank' } : {}
}

/** Keeps only the HTML that articles may contain. */
export function safeHtml(html: string): string {
  return sanitizeHtml(html.replaceAll('\0', ''), SAFE).trim()
}

/** Whether an address is a plain path within the app. */
export function isOwnPath(path: string): boolean {
  return OWN_PATH.test(path) && !path.includes('..')
}
