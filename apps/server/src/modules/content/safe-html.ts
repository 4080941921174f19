/** Makes the operator's HTML safe before it is stored: what is not allowed here is not kept. */
import sanitizeHtml, { type IOptions } from 'sanitize-html'

/** A path of the app's own: its content security policy shows no other pictures. */
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
    // What leaves the app opens beside it, and is not told where its visitor came from.
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

/** A link inside the app, out of it, or, where it is neither, no link at all. */
function linkTo(href: string): Record<string, string> {
  if (isOwnPath(href)) return { href }
  const elsewhere =
    /^(https:\/\/[^\s"'<>\\]+|mailto:[^\s"'<>\\]+)$/i.test(href) && URL.canParse(href)
  return elsewhere ? { href, rel: 'noopener noreferrer nofollow', target: '_blank' } : {}
}

/** What is left of HTML when only what articles are made of may stay. */
export function safeHtml(html: string): string {
  return sanitizeHtml(html.replaceAll('\0', ''), SAFE).trim()
}

/** Whether an address is a path under the app's own, and of nothing else. */
export function isOwnPath(path: string): boolean {
  return OWN_PATH.test(path) && !path.includes('..')
}
