/** The HTML that the rich-text editor keeps without loss. */

/** Elements that the editor supports; the server allows more (tables, figures, subscripts), typed as HTML. */
const TAGS: ReadonlySet<string> = new Set([
  ...['p', 'h2', 'h3', 'h4', 'br', 'hr', 'blockquote', 'pre', 'code'],
  ...['strong', 'b', 'em', 'i', 'u', 's', 'a', 'ul', 'ol', 'li', 'img'],
])

/** The elements of a text that the editor would drop, each once. */
export function tagsBeyondEditor(html: string): string[] {
  const parsed = new DOMParser().parseFromString(html, 'text/html')
  const names = [...parsed.body.querySelectorAll('*')].map(({ localName }) => localName)
  return [...new Set(names.filter((name) => !TAGS.has(name)))]
}
