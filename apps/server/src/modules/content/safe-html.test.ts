/** The XSS corpus, checked with a separate parser: for any input only allowed HTML is left. */
import fc from 'fast-check'
import { type Element, type Node, Window } from 'happy-dom'
import { describe, expect, it } from 'vitest'
import { isOwnPath, safeHtml } from './safe-html.ts'

/** The attributes that each tag may have; written here by hand, not taken from the code. */
const ALLOWED: Record<string, readonly string[]> = {
  ...Object.fromEntries(
    'h2 h3 h4 p br hr blockquote pre code strong b em i u s sub sup ul ol li table thead tbody tr figure figcaption'
      .split(' ')
      .map((tag) => [tag, []]),
  ),
  a: ['href', 'rel', 'target'],
  img: ['src', 'alt', 'width', 'height', 'loading'],
  th: ['colspan', 'rowspan', 'scope'],
  td: ['colspan', 'rowspan'],
}

const { DOMParser } = new Window()

/** What this list forbids in the HTML. */
function faultsOf(html: string): string[] {
  const { body } = new DOMParser().parseFromString(`<body>${html}</body>`, 'text/html')
  return childrenOf(body).flatMap((node) => {
    if (node.nodeType === node.TEXT_NODE) return []
    if (!isElement(node)) return [node.nodeName]
    const tag = node.localName
    const allowed = ALLOWED[tag]
    if (!allowed) return [`<${tag}>`]
    return [...node.attributes]
      .flatMap(({ name, value }) => faultsOfAttribute({ tag, name, value: value ?? '', allowed }))
      .concat(
        tag === 'img' && node.getAttribute('loading') !== 'lazy'
          ? ['a picture that is not lazy']
          : [],
      )
  })
}

function faultsOfAttribute(attribute: {
  tag: string
  name: string
  value: string
  allowed: readonly string[]
}): string[] {
  const { tag, name, value, allowed } = attribute
  if (!allowed.includes(name)) return [`${tag}[${name}]`]
  if (name === 'href' && !/^(https:\/\/|mailto:|\/(?!\/))\S+$/.test(value))
    return [`${tag} to ${value}`]
  if (name === 'src' && !/^\/(?!\/)/.test(value)) return [`${tag} from ${value}`]
  return []
}

/** All nodes below this one. */
function childrenOf(node: Node): Node[] {
  return [...node.childNodes].flatMap((child) => [child, ...childrenOf(child)])
}

function isElement(node: Node): node is Element {
  return node.nodeType === node.ELEMENT_NODE
}

const CORPUS = [
  '<script>alert(1)</script>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<img src="/a.png" onerror="alert(1)">',
  '<img src="data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+">',
  '<img src="//evil.example/pixel.gif">',
  '<img src="/\\evil.example/pixel.gif">',
  '<img src="https://evil.example/pixel.gif">',
  '<img srcset="x 1x, https://evil.example/2x 2x" src="/a.png">',
  '<input autofocus onfocus=alert(1)>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<template><script>alert(1)</script></template>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<embed src="data:text/html,<script>alert(1)</script>">',
  '<form action="javascript:alert(1)"><button>x</button></form>',
  '<button formaction="javascript:alert(1)">x</button>',
  '<link rel=stylesheet href="https://evil.example/x.css">',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<base href="https://evil.example/">',
  '<style>@import "https://evil.example/x.css";</style>',
  '<p style="background:url(javascript:alert(1))">x</p>',
  '<p onclick="alert(1)">x</p>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href=" javascript:alert(1)">x</a>',
  '<a href="java\nscript:alert(1)">x</a>',
  '<a href="\u0001javascript:alert(1)">x</a>',
  '<a href="&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74&#x3A;alert(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="blob:https://app.example/1">x</a>',
  '<a href="//evil.example">x</a>',
  '<a href="https://ok.example" onclick="alert(1)" ping="https://evil.example">x</a>',
  '<a href="https://ok.example" target="_self" rel="opener">x</a>',
  '<details open ontoggle=alert(1)>x</details>',
  '<td colspan="2" onmouseover="alert(1)">x</td>',
  '<!-- --!><img src=x onerror=alert(1)> -->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<textarea><img src=x onerror=alert(1)></textarea>',
  '<xmp><img src=x onerror=alert(1)></xmp>',
  '<plaintext><img src=x onerror=alert(1)>',
  '<p>\u0000<script\u0000>alert(1)</script>',
  '＜script＞alert(1)＜/script＞',
  `${'<b>'.repeat(500)}deep<script>alert(1)</script>`,
]

describe('stored HTML', () => {
  it.each(CORPUS)('contains no code: %s', (evil) => {
    for (const html of [evil, `<p>before</p>${evil}<p>after</p>`, `<table><tr><td>${evil}`]) {
      const safe = safeHtml(html)
      expect(faultsOf(safe), safe).toEqual([])
    }
  })

  it('is safe whatever it is made of, and does not change when it is made safe again', () => {
    const piece = fc.oneof(
      fc.constantFrom(...CORPUS, '<p>', '</p>', '"', "'", '>', '<', '<a href="', '<!--', '-->'),
      fc.string({ maxLength: 20 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const safe = safeHtml(pieces.join(''))
        expect(faultsOf(safe)).toEqual([])
        expect(faultsOf(safeHtml(safe))).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  it('keeps the elements of articles', () => {
    const article =
      '<h3>Title</h3><p>A <strong>word</strong>, a <a href="/rules">rule</a> &amp; 1 &lt; 2.</p>' +
      '<ul><li>one</li></ul><table><tbody><tr><td colspan="2">x</td></tr></tbody></table>'
    expect(safeHtml(article)).toBe(article)
  })

  it('makes pictures lazy, keeps only those of the app, and sends no referrer with a link', () => {
    expect(safeHtml('<img src="/promos/check.svg" alt="A draw" width="480" style="x">')).toBe(
      '<img src="/promos/check.svg" alt="A draw" width="480" loading="lazy" />',
    )
    expect(safeHtml('<img src="/../../etc/passwd"><img src="https://other.example/a.png">')).toBe(
      '',
    )
    expect(safeHtml('<a href="https://other.example/a" rel="opener">x</a>')).toBe(
      '<a href="https://other.example/a" rel="noopener noreferrer nofollow" target="_blank">x</a>',
    )
  })
})

it('a path of the app has no host, no query and no way up', () => {
  const others = ['', 'rules', '//evil.example', '/\\evil.example', 'https://a.example/']
  for (const path of [...others, '/a/../b', '/a?b', '/a b'])
    expect(isOwnPath(path), path).toBe(false)
  for (const path of ['/rules', '/promos/check.svg', '/uploads/0123.webp'])
    expect(isOwnPath(path), path).toBe(true)
})
