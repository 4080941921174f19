/** Which HTML the rich-text editor takes without losing anything of it. */

/** Elements that the editor knows; the server keeps more (tables, figures, subscripts), which are typed as HTML. */
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
