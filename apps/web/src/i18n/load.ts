/**
 * Loads message catalogs. What the first screen says comes with the program in English, and when it
 * is spoken in another language; all the rest comes with the first screen that needs it.
 */
import { i18n, type Messages } from '@lingui/core'
import { keptPiece } from '@sum28/ui/code-piece.ts'
import { type Locale, languageOf } from '@sum28/ui/languages.ts'
import { loadUiTexts } from '@sum28/ui/load-texts.ts'
import firstEnglish from '#src/locales/en/shell.json'

const FIRST = import.meta.glob<Messages>(['../locales/*/shell.json', '!../locales/en/*.json'], {
  import: 'default',
})
const REST = import.meta.glob<Messages>('./rest/*.ts', { import: 'REST' })

/** The languages whose every text is there. */
const complete = new Set<Locale>()
const loading = new Map<Locale, () => Promise<void>>()

/**
 * Makes the app speak a language: the texts of the first screen, the document's `lang`, and the
 * numbers' grouping. Rejects where they cannot be fetched, which English never does; the language
 * before it stays in force then.
 *
 * @param isWanted asked once they are there: a language that nobody wants any more is not spoken
 */
export async function speak(locale: Locale, isWanted = () => true): Promise<void> {
  const [ui, first] = await Promise.all([
    loadUiTexts(locale),
    FIRST[`../locales/${locale}/shell.json`]?.(),
  ])
  if (!isWanted()) return
  i18n.load(locale, { ...ui, ...firstEnglish, ...first })
  const tag = languageOf(locale)?.tag ?? 'en'
  i18n.activate(locale, tag)
  document.documentElement.lang = tag
}

/** Whether every text of a language is there. */
export function hasAllTexts(locale: Locale): boolean {
  return complete.has(locale)
}

/** Loads every text of a language, once; see `code-piece.ts` of what fails. */
export function loadAllTexts(locale: Locale): Promise<void> {
  const load = loading.get(locale) ?? keptPiece(() => loadRest(locale))
  loading.set(locale, load)
  return load()
}

async function loadRest(locale: Locale): Promise<void> {
  const load = REST[`./rest/${locale}.ts`]
  if (!load) throw new Error(`there are no texts in ${locale}`)
  const rest = await load()
  i18n.load(locale, rest)
  complete.add(locale)
}
