/** Elements whose text is not shown. */
const UNREAD = new Set([
  'SCRIPT',
  'STYLE',
  'TEMPLATE',
  'NOSCRIPT',
  'TITLE',
  'TEXTAREA',
  'IFRAME',
  'SVG',
])

/** Elements that begin and end a line. */
const BLOCKS =
  /^(P|DIV|BR|HR|H[1-6]|UL|OL|LI|DL|DT|DD|PRE|BLOCKQUOTE|SECTION|ARTICLE|HEADER|FOOTER|TABLE|TR)$/

/**
 * The words of an HTML text, one string a paragraph. Safe for any text: no markup remains, and the
 * parser runs no script and loads nothing.
 */
export function paragraphsOf(html: string): string[] {
  const paragraphs = ['']
  const write = (text: string) => {
    paragraphs.push((paragraphs.pop() ?? '') + text)
  }
  const read = (node: Node) => {
    if (node.nodeType === Node.TEXT_NODE) write(node.nodeValue ?? '')
    const name = node.nodeName.toUpperCase()
    if (UNREAD.has(name)) return
    const block = BLOCKS.test(name)
    if (block) paragraphs.push(name === 'LI' ? '• ' : '')
    node.childNodes.forEach(read)
    if (block) paragraphs.push('')
  }
  read(new DOMParser().parseFromString(html, 'text/html').body)
  return paragraphs.map((text) => text.replace(/\s+/g, ' ').trim()).filter((text) => text !== '')
}
