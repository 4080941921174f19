/** Elements whose text is not shown. */
const UNREAD = 'script, style, template, noscript, title, textarea, iframe, svg'

/** Elements that begin and end a line. */
const BLOCKS =
  'p, div, br, hr, h1, h2, h3, h4, h5, h6, ul, ol, li, dl, dt, dd, pre, blockquote, section, article, header, footer, table, tr'

/**
 * The words of an HTML text in one line. Safe for any text: no markup remains, and the parser runs no script and loads
 * nothing.
 */
export function htmlText(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const unread of body.querySelectorAll(UNREAD)) unread.remove()
  for (const item of body.querySelectorAll('li')) item.prepend('• ')
  for (const block of body.querySelectorAll(BLOCKS)) {
    block.before(' ')
    block.append(' ')
  }
  return (body.textContent ?? '').replace(/\s+/g, ' ').trim()
}
