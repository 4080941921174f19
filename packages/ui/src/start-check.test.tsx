import { afterEach, expect, it, vi } from 'vitest'
import { LANGUAGES } from '#src/languages.ts'
import words from '#src/start-words.json'

/** It is a script and no module, so it cannot be named in an import. */
const SCRIPT = '#src/start-check.ts'

/** The server's file of words, which comes at once, or not before it is let go. */
class WordsRequest {
  static waiting: WordsRequest[] = []
  static held = false
  response = words
  onload = () => {}
  open(): void {}
  send(): void {
    if (WordsRequest.held) WordsRequest.waiting.push(this)
    else queueMicrotask(() => this.onload())
  }
}

afterEach(() => {
  WordsRequest.held = false
  vi.unstubAllGlobals()
  document.body.innerHTML = ''
  localStorage.clear()
  vi.restoreAllMocks()
})

/** The page's first shape, with the script; `system`: the browser's language. */
async function load(system = 'en'): Promise<void> {
  vi.resetModules()
  vi.stubGlobal('START_WORDS', '/assets/start-words.json')
  vi.stubGlobal('XMLHttpRequest', WordsRequest)
  vi.spyOn(navigator, 'language', 'get').mockReturnValue(system)
  vi.spyOn(CSS, 'supports').mockReturnValue(true)
  document.body.innerHTML = '<div id="root"><i class="boot-page"></i></div>'
  await import(SCRIPT)
}

function errorIn(filename: string): ErrorEvent {
  return new ErrorEvent('error', { message: 'Can’t find variable: zaloJSV2', filename })
}

async function shownAfterError(): Promise<HTMLElement | null> {
  window.dispatchEvent(errorIn(`${location.origin}/assets/index-1.js`))
  await new Promise((done) => setTimeout(done))
  return document.querySelector('main')
}

it('an app that ends with an error before it has started gets a page in each of the languages', async () => {
  const titles = new Set<string>()
  for (const { locale } of LANGUAGES) {
    localStorage.setItem('locale', locale)
    await load()
    const page = await shownAfterError()
    expect(page?.lang).toBe(locale)
    expect(page?.textContent).toContain(location.origin)
    titles.add(page?.querySelector('h1')?.textContent ?? '')
  }
  expect(titles.size).toBe(LANGUAGES.length)
})

it.each([
  ['vi-VN', 'vi'],
  ['zh-Hant-HK', 'zh-TW'],
  ['zh-CN', 'zh'],
  ['in-ID', 'id'],
  ['fr', 'en'],
])('without a choice the page is in the browser’s language: %s as %s', async (system, locale) => {
  await load(system)
  expect((await shownAfterError())?.lang).toBe(locale)
})

it('until the words of the language have come the page is in English', async () => {
  WordsRequest.held = true
  await load('vi')
  expect((await shownAfterError())?.lang).toBe('en')
  for (const request of WordsRequest.waiting.splice(0)) request.onload()
  expect(document.querySelector('main')?.lang).toBe('vi')
})

it('an app that has started is left alone, whatever errors come', async () => {
  await load()
  const root = document.querySelector('#root')
  if (root) root.innerHTML = '<p>The app</p>'
  expect(await shownAfterError()).toBeNull()
})

it.each([
  ['an error of a script that the browser’s app runs in the page', () => errorIn(location.href)],
  ['a rejection that does not say where it comes from', () => new Event('unhandledrejection')],
])('%s leaves the app five seconds more to start', async (_, event) => {
  vi.useFakeTimers()
  await load()
  window.dispatchEvent(event())
  vi.advanceTimersByTime(4_999)
  expect(document.querySelector('main')).toBeNull()
  vi.advanceTimersByTime(1)
  expect(document.querySelector('h1')?.textContent).toBe('The page has not started')
  vi.useRealTimers()
})

it('a page that has not started after half a minute says so', async () => {
  vi.useFakeTimers()
  await load()
  vi.advanceTimersByTime(29_999)
  expect(document.querySelector('main')).toBeNull()
  vi.advanceTimersByTime(1)
  expect(document.querySelector('h1')?.textContent).toBe('The page has not started')
  vi.useRealTimers()
})
