/** The browser's storages; where it keeps nothing, as with all site data blocked, a storage of this page alone. */

const ofThisPage = { localStorage: memoryStorage(), sessionStorage: memoryStorage() }

/** What lasts as long as the tab. */
export function tabStorage(): Storage {
  return storageOf('sessionStorage')
}

/** What lasts on the device. */
export function deviceStorage(): Storage {
  return storageOf('localStorage')
}

const PROBE = 'sum28-probe'

/** A start asks for the storages dozens of times, and a phone writes slowly. */
const PROBE_HOLDS_MS = 1_000

/** When each storage was last written to, by the page's own clock. */
const probedAt = new WeakMap<Storage, number>()

/** Reading the name throws where all site data is blocked, and writing where there is no room. */
function storageOf(name: 'localStorage' | 'sessionStorage'): Storage {
  try {
    const storage = globalThis[name]
    const now = performance.now()
    if (now - (probedAt.get(storage) ?? Number.NEGATIVE_INFINITY) < PROBE_HOLDS_MS) return storage
    storage.setItem(PROBE, '')
    storage.removeItem(PROBE)
    probedAt.set(storage, now)
    return storage
  } catch {
    return ofThisPage[name]
  }
}

/** A storage that lasts as long as the page. */
export function memoryStorage(): Storage {
  const entries = new Map<string, string>()
  return {
    get length() {
      return entries.size
    },
    clear: () => entries.clear(),
    getItem: (key) => entries.get(key) ?? null,
    key: (index) => [...entries.keys()][index] ?? null,
    removeItem: (key) => void entries.delete(key),
    setItem: (key, value) => void entries.set(key, String(value)),
  }
}
