/**
 * Loads message catalogs. What the first screen says comes with the program in English, and when it
 * is spoken in another language; all the rest comes with the first screen that needs it.
 */
import { i18n, type Messages } from '@lingui/core'
import { type Locale, languageOf } from '#src/i18n/languages.ts'
import firstEnglish from '#src/locales/en/shell.json'

const OTHERS = import.meta.glob<Messages>(['../locales/*/*.json', '!../locales/en/*.json'], {
  import: 'default',
})

/** The area of the home screen and of all that is around screens. */
const FIRST_AREA = '/shell.json'

/** The languages whose every text is there. */
const complete = new Set<Locale>()
const loading = new Map<Locale, Promise<void>>()

/**
 * Makes the app speak a language: the texts of the first screen, the document's `lang`, and the
 * numbers' grouping. Rejects where they cannot be fetched, which English never does; the language
 * before it stays in force then.
 */
export async function speak(locale: Locale): Promise<void> {
  const first = await catalogs(locale, (path) => path.endsWith(FIRST_AREA))
  i18n.load(locale, { ...firstEnglish, ...first })
  const tag = languageOf(locale)?.tag ?? 'en'
  i18n.activate(locale, tag)
  document.documentElement.lang = tag
}

/** Whether every text of a language is there. */
export function hasAllTexts(locale: Locale): boolean {
  return complete.has(locale)
}

/**
 * Loads every text of a language, once. Rejects where a catalog cannot be fetched; asked again, it
 * tries again.
 */
export function loadAllTexts(locale: Locale): Promise<void> {
  const before = loading.get(locale)
  if (before) return before
  const now = loadRest(locale)
  loading.set(locale, now)
  now.catch(() => loading.delete(locale))
  return now
}

async function loadRest(locale: Locale): Promise<void> {
  const rest =
    locale === 'en'
      ? (await import('#src/i18n/english-rest.ts')).ENGLISH_REST
      : await catalogs(locale, (path) => !path.endsWith(FIRST_AREA))
  i18n.load(locale, rest)
  complete.add(locale)
}

/** The catalogs of a language other than English, in one. */
async function catalogs(locale: Locale, wanted: (path: string) => boolean): Promise<Messages> {
  const files = Object.entries(OTHERS).filter(
    ([path]) => path.includes(`/locales/${locale}/`) && wanted(path),
  )
  return Object.assign({}, ...(await Promise.all(files.map(([, load]) => load()))))
}
