/** What the service worker answers where the network or the browser's storage fails. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { SHELL } from '#src/app/worker-rules.ts'

const ORIGIN = 'https://sum28.example'

type Answering = (event: {
  request: object
  respondWith: (answer: Promise<Response>) => void
}) => void
const listeners = new Map<string, (event: never) => void>()
let storage: Record<string, unknown>
let network: Response

beforeEach(async () => {
  storage = {}
  vi.resetModules()
  vi.stubGlobal('self', {
    __WB_MANIFEST: [{ url: SHELL.slice(1), revision: '1' }],
    location: new URL(ORIGIN),
    skipWaiting: async () => {},
    addEventListener: (kind: string, listener: () => void) => listeners.set(kind, listener),
  })
  vi.stubGlobal('caches', new Proxy({}, { get: (_, name) => storage[String(name)] ?? damaged }))
  vi.stubGlobal('fetch', async () => network)
  await import('#src/app/sw.ts')
})

afterEach(() => vi.unstubAllGlobals())

const damaged = async () => {
  throw new DOMException('Unexpected internal error', 'UnknownError')
}

/** The text that a request gets. */
function answer(path: string, mode: string): Promise<string> {
  return new Promise((done, fail) => {
    const request = { method: 'GET', mode, url: ORIGIN + path }
    const respondWith = (reply: Promise<Response>) => reply.then((each) => done(each.text()), fail)
    ;(listeners.get('fetch') as Answering)({ request, respondWith })
  })
}

it.each([
  ['/assets/index-abc.js', 'cors', 200],
  ['/login', 'navigate', 503],
])(
  'passes on what the network answers to %s if the storage is damaged',
  async (path, mode, status) => {
    network = new Response('of the network', { status })
    expect(await answer(path, mode)).toBe('of the network')
  },
)

it.each([429, 503])('opens the stored app if a page is answered with %i', async (status) => {
  storage.open = async () => ({ match: async () => new Response('stored') })
  network = new Response('{}', { status })
  expect(await answer('/login', 'navigate')).toBe('stored')
})

it.each([
  [true, []],
  [false, ['delete']],
])(
  'keeps the store of the worker that is running if an installation fails: %s',
  async (isStored, deleted) => {
    const calls: string[] = []
    storage.has = async () => isStored
    storage.open = async () => ({})
    storage.delete = async () => calls.push('delete')
    network = new Response('', { status: 503 })
    const work: Promise<unknown>[] = []
    const install = listeners.get('install') as unknown as (event: object) => void
    install({ waitUntil: (each: Promise<unknown>) => work.push(each) })
    await expect(Promise.all(work)).rejects.toThrow('503')
    expect(calls).toEqual(deleted)
  },
)

it('does not store the page of another build, which a server answers while it is upgraded', async () => {
  const calls: string[] = []
  storage.has = async () => false
  storage.open = async () => ({ put: async () => calls.push('put') })
  storage.delete = async () => calls.push('delete')
  network = new Response('<script src="/assets/index-of-another.js"></script>')
  const work: Promise<unknown>[] = []
  const install = listeners.get('install') as unknown as (event: object) => void
  install({ waitUntil: (each: Promise<unknown>) => work.push(each) })
  await expect(Promise.all(work)).rejects.toThrow('another build')
  expect(calls).toEqual(['delete'])
})
