/**
 * The first script of a page, and the only one that must run in any browser: it imports nothing, and the build
 * translates it to the JavaScript of 2015. Where the app cannot run, or has not started, it shows a plain page instead
 * of leaving the page's first shape there for ever. An app that starts later replaces that page.
 */

/** After this time a page that has not started says so. */
const PATIENCE_MS = 30_000

/** The same after an error that may be of another script. */
const FOREIGN_MS = 5_000

/** What the app needs, and has nothing instead of. The newest of each kind stands for those before it. */
const NEEDS: readonly (() => boolean)[] = [
  () => 'toSorted' in Array.prototype,
  () => 'timeout' in AbortSignal,
  () => 'inert' in HTMLElement.prototype,
  () => CSS.supports('height', '1dvh') && CSS.supports('selector(:has(a))'),
  () => /(?<=a)b/.test('ab'),
]

type Words = { title: string; hint: string; again: string }

/** `old`: the browser lacks something; `stuck`: the app ended with an error, or does not come. */
type LanguageWords = Record<'old' | 'stuck', Words>

const ENGLISH: LanguageWords = {
  old: {
    title: 'This browser is too old',
    hint: 'Update it, or the system of your phone, or open this address in another browser:',
    again: 'Try again',
  },
  stuck: {
    title: 'The page has not started',
    hint: 'Load it again. If that does not help, open this address in another browser:',
    again: 'Load again',
  },
}

const LOCALES = ['en', 'zh', 'zh-TW', 'ja', 'ko', 'vi', 'id']

/** The address of `start-words.json`, which the build puts here: a page in English does not load it. */
declare const START_WORDS: string

/** Reads as false where the browser does not even know the words of a test. */
function isThere(test: () => boolean): boolean {
  try {
    return test()
  } catch {
    return false
  }
}

/** The chosen language, else the browser's, else English; it need not be as exact as the app's own choice. */
function language(): string {
  const stored = storedText('locale')
  if (stored && isKnown(stored)) return stored
  const tag = (navigator.language || 'en').toLowerCase()
  if (/^zh.*(hant|tw|hk|mo)/.test(tag)) return 'zh-TW'
  const short = (tag.split('-')[0] ?? '').replace('in', 'id')
  return isKnown(short) ? short : 'en'
}

function isKnown(locale: string): boolean {
  return LOCALES.some((known) => known === locale)
}

function storedText(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    // All site data is blocked.
    return null
  }
}

/** Whether the page still has the shape with which it came, or nothing. */
function isUnstarted(root: Element): boolean {
  const first = root.firstElementChild
  return !first || /boot-/.test(first.className)
}

function show(root: Element, why: 'old' | 'stuck'): void {
  const words = present.words[why]
  const note = document.createElement('main')
  note.className = 'boot-note'
  note.lang = present.locale
  note.append(
    element('h1', words.title),
    element('p', words.hint),
    element('p', location.origin + location.pathname),
  )
  const again = element('button', words.again)
  again.addEventListener('click', () => location.reload())
  note.append(again)
  root.textContent = ''
  root.append(note)
  const loader = document.getElementById('boot')
  if (loader) loader.remove()
}

function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name)
  made.textContent = text
  return made
}

/** The words of the page: English until those of another language have come. */
let present = { locale: 'en', words: ENGLISH }

/** Requested at once, while the server can be reached; by what every browser has. */
function loadWords(locale: string, onLoad: () => void): void {
  const request = new XMLHttpRequest()
  request.open('GET', START_WORDS)
  request.responseType = 'json'
  request.onload = () => {
    const words = request.response?.[locale]
    if (!words) return
    present = { locale, words }
    onLoad()
  }
  request.send()
}

// The app keeps to it; here the page does not begin in other colours than it goes on in.
const scheme = storedText('scheme')
if (scheme === 'light' || scheme === 'dark') document.documentElement.dataset.scheme = scheme

const root = document.getElementById('root')
if (root) {
  const isOld = !NEEDS.every(isThere)
  const check = () => isUnstarted(root) && show(root, isOld ? 'old' : 'stuck')
  const locale = language()
  if (locale !== 'en') loadWords(locale, () => document.querySelector('.boot-note') && check())
  // After the error, React has removed what it had shown. Browsers inside other apps run scripts of theirs in each
  // page, whose errors say nothing about the app: it has some time more then.
  const checkSoon = (from: unknown) =>
    setTimeout(check, /\/assets\//.test(String(from)) ? 0 : FOREIGN_MS)
  if (isOld) {
    check()
    // So that the app does not start where only a part of it would work.
    root.removeAttribute('id')
  }
  // Failures to load a script do not bubble up to the window.
  addEventListener(
    'error',
    ({ target, filename }) => {
      if (target instanceof HTMLScriptElement) checkSoon(target.src)
      else if (!(target instanceof Element)) checkSoon(filename)
    },
    true,
  )
  addEventListener('unhandledrejection', ({ reason }) => checkSoon(reason?.stack))
  setTimeout(check, PATIENCE_MS)
}
