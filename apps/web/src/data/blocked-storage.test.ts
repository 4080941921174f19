import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** As in a browser in which all site data is blocked: reading a storage throws, or in an old WebView gives null. */
function blockStorage(read: () => Storage | null) {
  for (const name of ['localStorage', 'sessionStorage']) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name)
    Object.defineProperty(globalThis, name, {
      configurable: true,
      get: read,
    })
    restore.push(() => before && Object.defineProperty(globalThis, name, before))
  }
}

function throwSecurityError(): never {
  throw new DOMException('The operation is insecure.', 'SecurityError')
}

const restore: (() => void)[] = []
afterEach(() => {
  for (const undo of restore.splice(0)) undo()
})

it.each([
  ['blocked', throwSecurityError],
  ['null', () => null],
])(
  'the app starts with storage that is %s, and keeps its choices while the page is open',
  async (_, read) => {
    blockStorage(read)
    vi.stubGlobal('location', { origin: 'http://localhost' })
    vi.resetModules()
    const session = await import('#src/data/session-watch.ts')
    const lines = await import('#src/data/lines.ts')
    const language = await import('#src/i18n/activate-language.ts')
    const offer = await import('#src/data/newcomer.ts')
    expect(session.currentSession()).toBeNull()
    expect(lines.activeLine()).toBe(0)
    lines.storeActiveLine(1)
    expect(lines.activeLine()).toBe(1)
    expect(language.currentLanguageChoice().locale).toBeTruthy()
    expect(offer.isOffered('registration')).toBe(false)
  },
)
