/**
 * Loads message catalogs. The first screen's texts are in the main bundle in English, and are
 * loaded with any other language; all other texts are loaded with the first screen that needs them.
 */
import { cachedChunk } from '@sum28/ui/chunk.ts'
import type { Locale } from '@sum28/ui/languages.ts'
import { type ComponentType, use } from 'react'
import {
  activateMessages,
  language,
  loadMessages,
  type Messages,
  useLocale,
} from '#src/i18n/text.ts'
import firstEnglish from '#src/locales/en/shell.json'

const FIRST = import.meta.glob<Messages>(['../locales/*/shell.json', '!../locales/en/*.json'], {
  import: 'default',
})

/** The languages whose texts are all loaded. */
const complete = new Set<Locale>()
const loading = new Map<Locale, () => Promise<void>>()

/**
 * Changes the app's language: the texts of the first screen, the document's `lang`, and the format
 * of numbers. Rejects if the texts cannot be loaded (never for English) and keeps the old language.
 *
 * @param isWanted called after loading: a language that is no longer chosen is not activated
 */
export async function activateLanguage(locale: Locale, isWanted = () => true): Promise<void> {
  const first = await FIRST[`../locales/${locale}/shell.json`]?.()
  if (!isWanted()) return
  loadMessages(locale, { ...firstEnglish, ...first })
  activateMessages(locale)
  document.documentElement.lang = language.get().tag
}

export function hasAllTexts(locale: Locale): boolean {
  return complete.has(locale)
}

/** Loads all texts of a language, once; `chunk.ts` says what happens on failure. */
export function loadAllTexts(locale: Locale): Promise<void> {
  const load = loading.get(locale) ?? cachedChunk(() => loadRest(locale))
  loading.set(locale, load)
  return load()
}

async function loadRest(locale: Locale): Promise<void> {
  const { TEXT_FILES } = await import('#src/navigation/screen-files.ts')
  const load = TEXT_FILES[`../locales/${locale}/screens.json`]
  if (!load) throw new Error(`there are no texts in ${locale}`)
  const rest = await load()
  loadMessages(locale, rest)
  complete.add(locale)
}

/** A screen, or a part of home, that waits, as for its code, until all texts of the language are loaded. */
export function withAllTexts<Props extends object>(
  Screen: ComponentType<Props>,
): ComponentType<Props> {
  return function ScreenWithTexts(props: Props) {
    const { locale } = useLocale()
    if (!hasAllTexts(locale)) use(loadAllTexts(locale))
    return <Screen {...props} />
  }
}
