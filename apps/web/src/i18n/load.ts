/** Loads message catalogs: English with the program, each other language when it is spoken. */
import { i18n, type Messages } from '@lingui/core'
import { type Locale, languageOf } from '#src/i18n/languages.ts'

const ENGLISH = import.meta.glob<Messages>('../locales/en/*.json', {
  import: 'default',
  eager: true,
})

const OTHERS = import.meta.glob<Messages>(['../locales/*/*.json', '!../locales/en/*.json'], {
  import: 'default',
})

/**
 * Makes the app speak a language: its catalogs, the document's `lang`, and the numbers' grouping.
 * Rejects where a catalog cannot be fetched; the language before it stays in force then.
 */
export async function speak(locale: Locale): Promise<void> {
  i18n.load(locale, { ...merged(Object.values(ENGLISH)), ...(await catalogsOf(locale)) })
  const tag = languageOf(locale)?.tag ?? 'en'
  i18n.activate(locale, tag)
  document.documentElement.lang = tag
}

async function catalogsOf(locale: Locale): Promise<Messages> {
  const files = Object.entries(OTHERS).filter(([path]) => path.includes(`/locales/${locale}/`))
  return merged(await Promise.all(files.map(([, load]) => load())))
}

function merged(catalogs: readonly Messages[]): Messages {
  return Object.assign({}, ...catalogs)
}
