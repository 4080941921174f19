/**
 * The service worker: it stores the built app, so that a screen opens offline and shows its own
 * offline state. It stores only files of the build, never a reply of the API, and always tries the
 * server's newest build first.
 */
import type { PushMessage } from '@sum28/contract/push-topics.ts'
import { isScreen, SHELL, workerAnswer } from '#src/app/worker-rules.ts'

type Entry = { url: string; revision: string | null }
type Lifecycle = { waitUntil(work: Promise<unknown>): void }
type Install = Lifecycle & {
  /** Not in every browser yet (Service Workers, "ServiceWorker Static Routing API"). */
  addRoutes?(route: { condition: { urlPattern: string }; source: 'network' }): Promise<void>
}
type Push = Lifecycle & { data: { json(): PushMessage } | null }
type Click = Lifecycle & { notification: { close(): void; data: unknown } }
type Page = { url: string; focus(): Promise<Page>; navigate(url: string): Promise<Page | null> }
type Fetch = { request: Request; respondWith(answer: Promise<Response>): void }

/** The part of a service worker's scope that is used; TypeScript's own types clash with a page's. */
declare const self: {
  /** All files of the build; the build inserts them. */
  readonly __WB_MANIFEST: Entry[]
  readonly location: Location
  readonly clients: {
    claim(): Promise<void>
    matchAll(options: { type: 'window' }): Promise<readonly Page[]>
    openWindow(url: string): Promise<unknown>
  }
  readonly registration: { showNotification(title: string, options: object): Promise<void> }
  skipWaiting(): Promise<void>
  addEventListener(type: 'install', listener: (event: Install) => void): void
  addEventListener(type: 'activate', listener: (event: Lifecycle) => void): void
  addEventListener(type: 'fetch', listener: (event: Fetch) => void): void
  addEventListener(type: 'push', listener: (event: Push) => void): void
  addEventListener(type: 'notificationclick', listener: (event: Click) => void): void
}

/** After this time without an answer, a page is opened from the store. */
const NAVIGATION_MS = 4_000
/** The pause between two stored files, so that the player's requests come first. */
const STORE_PAUSE_MS = 25
const PREFIX = 'sum28-shell-'

const files = self.__WB_MANIFEST.map(({ url, revision }) => ({
  path: new URL(url, self.location.origin).pathname,
  revision,
}))
const stored = new Set(files.map(({ path }) => path))
const cacheName = PREFIX + nameOf(JSON.stringify(files))

self.addEventListener('install', (event) => {
  // Taking over at once is safe: the names of built files contain hashes, and the previous build's
  // files are kept for pages that still run it.
  event.waitUntil(storeWhole().then(() => self.skipWaiting()))
  event.waitUntil(leaveCallsToNetwork(event))
})

self.addEventListener('activate', (event) => {
  event.waitUntil(dropOldBuilds().then(() => self.clients.claim()))
})

self.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request
  const answer = workerAnswer({ method, mode, url, origin: self.location.origin, stored })
  if (answer === 'asset') event.respondWith(storeFirst(event.request))
  else if (answer === 'file') event.respondWith(networkFirst(event.request, event.request.url))
  else if (answer === 'screen') event.respondWith(networkFirst(event.request, SHELL))
})

// Each message is shown, as browsers demand; the text comes in the player's language.
self.addEventListener('push', (event) => {
  if (!event.data) return
  const { title, body, path, topic, lang } = event.data.json()
  // The latest of a topic takes the place of the one before.
  const options = { body, lang, tag: topic, renotify: true, icon: '/icon-192.png', data: path }
  event.waitUntil(self.registration.showNotification(title, options))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(String(event.notification.data)))
})

/** Opens a page of the app, in a window of the app that is open already if there is one: the console's is let alone. */
async function open(path: string): Promise<void> {
  const url = new URL(path, self.location.origin)
  // Nothing but this server sends messages; another origin would be a fault.
  if (url.origin !== self.location.origin) return
  const windows = await self.clients.matchAll({ type: 'window' })
  const page = windows.find((each) => isScreen(new URL(each.url).pathname))
  // First: the page that it navigates to is another client, and the one before cannot come to the front any more.
  const shown = await page?.focus().catch(() => null)
  if (!shown) return void (await self.clients.openWindow(url.href))
  await shown.navigate(url.href).catch(() => self.clients.openWindow(url.href))
}

/**
 * If the browser supports it, API calls bypass the worker: they are faster, and an idle worker is
 * replaced by the next one at once.
 */
async function leaveCallsToNetwork(event: Install): Promise<void> {
  try {
    await event.addRoutes?.({ condition: { urlPattern: '/api/*' }, source: 'network' })
  } catch {
    // A browser with another form of it refuses: the worker passes such calls on anyway.
  }
}

/** Stores all files or none. Rejects if a file cannot be fetched. */
async function storeWhole(): Promise<void> {
  // A release that changes this file alone has the cache of the worker that is running.
  const isNew = !(await caches.has(cacheName))
  try {
    await store()
  } catch (error) {
    if (isNew) await caches.delete(cacheName)
    throw error
  }
}

async function store(): Promise<void> {
  const cache = await caches.open(cacheName)
  for (const { path, revision } of files) {
    const copy = revision === null ? await caches.match(path) : undefined
    const fresh = copy ?? (await fetch(path, { cache: revision ? 'no-cache' : 'default' }))
    if (!fresh.ok) throw new Error(`${path} answered ${fresh.status}`)
    if (path === SHELL && !isOfThisBuild(await fresh.clone().text())) {
      throw new Error(`${path} is of another build`)
    }
    await cache.put(path, fresh)
    if (!copy) await later(STORE_PAUSE_MS)
  }
}

/** During an upgrade the server's processes have different builds: a page with the files of another could not start. */
function isOfThisBuild(page: string): boolean {
  return [...page.matchAll(/"(\/assets\/[^"]+)"/g)].every(([, named = '']) => stored.has(named))
}

/** Keeps this build and the one before it. */
async function dropOldBuilds(): Promise<void> {
  const others = (await caches.keys()).filter(
    (name) => name.startsWith(PREFIX) && name !== cacheName,
  )
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)))
}

async function storeFirst(request: Request): Promise<Response> {
  return (await storedAnswer(() => caches.match(request.url, ANY))) ?? fetch(request)
}

const ANY = { ignoreVary: true }

/** None where the browser's storage is damaged: it must not keep the network's answers away. */
function storedAnswer(find: () => Promise<Response | undefined>): Promise<Response | undefined> {
  return find().catch(() => undefined)
}

/** The network's answer; the stored one if none comes in time, or it is a failure, as while there are too many requests. */
async function networkFirst(request: Request, storedAs: string): Promise<Response> {
  const answer = fetch(request)
  const inTime = await Promise.race([answer.catch(() => null), later(NAVIGATION_MS)])
  if (inTime && inTime.status < 400) return inTime
  const find = async () => (await caches.open(cacheName)).match(storedAs, ANY)
  return (await storedAnswer(find)) ?? answer
}

function later(ms: number): Promise<null> {
  return new Promise((done) => setTimeout(done, ms, null))
}

/** A short name for a text (FNV-1a, 32 bits): another build has another name. */
function nameOf(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return (hash >>> 0).toString(16)
}
