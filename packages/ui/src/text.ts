import { fillIn, type Message } from '@sum28/i18n/message.ts'
import { type Locale, languageOf } from '#src/languages.ts'
import english from '#src/locales/en/ui.json'
import { createStore, useStore } from '#src/store.ts'

export type Messages = Readonly<Record<string, Message>>

const OTHERS = import.meta.glob<Messages>(['./locales/*/ui.json', '!./locales/en/*.json'], {
  import: 'default',
})

/** Every key of the components' own texts. An app that shows them calls {@link loadUiTexts}. */
export type UiTextKey = keyof typeof english

export type TextValues = Record<string, string | number>

type Translate = (key: string, values?: TextValues) => string

/** The present language; `locale` is empty until the first one is activated. */
export type PresentLanguage = { locale: Locale | ''; tag: string; t: Translate }

const loaded = new Map<Locale, Messages>()

export const language = createStore<PresentLanguage>({ locale: '', tag: 'en', t: (key) => key })

/** Adds messages to those of a language. */
export function loadMessages(locale: Locale, messages: Messages): void {
  loaded.set(locale, { ...loaded.get(locale), ...messages })
}

/** The messages of a language that are loaded. */
export function loadedMessages(locale: Locale): Messages {
  return loaded.get(locale) ?? {}
}

/** Shows another language, of whose messages the first are loaded. */
export function activateMessages(locale: Locale): void {
  const tag = languageOf(locale)?.tag ?? 'en'
  const fill = fillIn(tag)
  language.set({
    locale,
    tag,
    t: (key, values = {}) => fill(loadedMessages(locale)[key] ?? key, values),
  })
}

/** `t(key, values)` in the present language: another function when the language changes. */
export function useText(): (key: UiTextKey, values?: TextValues) => string {
  return useStore(language).t
}

/** The present language, and its tag for `Intl`. */
export function useLocale(): { locale: Locale; tag: string } {
  const { locale, tag } = useStore(language)
  return { locale: locale || 'en', tag }
}

/** Loads the components' own texts in a language. Rejects if they cannot be loaded; never for English. */
export async function loadUiTexts(locale: Locale): Promise<void> {
  const others = await OTHERS[`./locales/${locale}/ui.json`]?.()
  loadMessages(locale, { ...english, ...others })
}
