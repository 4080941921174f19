import { fillIn, type Message } from '@sum28/i18n/message.ts'
import { type Locale, languageOf } from '@sum28/ui/languages.ts'
import { createStore, useStore } from '@sum28/ui/store.ts'
import type screens from '#src/locales/en/screens.json'
import type shell from '#src/locales/en/shell.json'

export type Messages = Readonly<Record<string, Message>>

/** Every key of the English catalogs. */
export type TextKey = keyof typeof shell | keyof typeof screens

type TextValues = Record<string, string | number>

/** The present language; `locale` is empty until the first one is activated. */
type PresentLanguage = {
  locale: Locale | ''
  tag: string
  t: (key: string, values?: TextValues) => string
}

const loaded = new Map<Locale, Messages>()

export const language = createStore<PresentLanguage>({ locale: '', tag: 'en', t: (key) => key })

export function loadMessages(locale: Locale, messages: Messages): void {
  loaded.set(locale, { ...loaded.get(locale), ...messages })
}

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

/** A text in the present language. In a component use {@link useText}, which follows a change. */
export function text(key: TextKey, values?: TextValues): string {
  return language.get().t(key, values)
}

/** `t(key, values)` in the present language: another function when the language changes. */
export function useText(): typeof text {
  return useStore(language).t
}

/** The present language, and its tag for `Intl`. */
export function useLocale(): { locale: Locale; tag: string } {
  const { locale, tag } = useStore(language)
  return { locale: locale || 'en', tag }
}
