import { type Locale, languageOf } from '#src/languages.ts'
import english from '#src/locales/en/ui.json'
import { createStore, useStore } from '#src/store.ts'

/** A message as the build compiles it: words, the names of values, and the forms of a number, where `#` is the number. */
export type Message = string | readonly Part[]
type Part =
  | string
  | readonly [name: string, kind?: 'plural', forms?: Readonly<Record<string, Message>>]
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
  const numbers = new Intl.NumberFormat(tag)
  const plurals = new Intl.PluralRules(tag)

  function fill(message: Message, values: TextValues, count?: string): string {
    if (typeof message === 'string') return message === '#' ? (count ?? message) : message
    return message.map((part) => fillPart(part, values, count)).join('')
  }
  function fillPart(part: Part, values: TextValues, count?: string): string {
    if (typeof part === 'string') return fill(part, values, count)
    const [name, , forms] = part
    const value = values[name] ?? ''
    if (!forms) return String(value)
    const form = forms[value] ?? forms[plurals.select(Number(value))] ?? forms.other
    return fill(form ?? '', values, numbers.format(Number(value)))
  }
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
