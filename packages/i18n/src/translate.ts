/** Server texts in the seven languages: ICU messages under stable keys. */
import en from './catalogs/en.json' with { type: 'json' }
import id from './catalogs/id.json' with { type: 'json' }
import ja from './catalogs/ja.json' with { type: 'json' }
import ko from './catalogs/ko.json' with { type: 'json' }
import vi from './catalogs/vi.json' with { type: 'json' }
import zh from './catalogs/zh.json' with { type: 'json' }
import zhTw from './catalogs/zh-TW.json' with { type: 'json' }
import { compileMessage } from './compile-message.ts'
import type { Language } from './languages.ts'
import { fillIn } from './message.ts'
import { withMarks } from './numbers.ts'

export type MessageKey = keyof typeof en

const CATALOGS: Record<Language, Record<MessageKey, string>> = {
  en,
  zh,
  'zh-TW': zhTw,
  ja,
  ko,
  vi,
  id,
}

type Translator = (key: MessageKey, values: Readonly<Record<string, unknown>>) => string

const translators = new Map<Language, Translator>()

function translatorOf(language: Language): Translator {
  let translator = translators.get(language)
  if (!translator) {
    const fill = fillIn(language)
    const compiled = new Map(
      Object.entries(CATALOGS[language]).map(([key, message]) => [key, compileMessage(message)]),
    )
    translator = (key, values) => fill(compiled.get(key) ?? key, spoken(values, language))
    translators.set(language, translator)
  }
  return translator
}

/** The names of the values that are amounts, in the wire's form. */
const AMOUNTS = ['amount', 'minimum', 'maximum', 'left', 'payout_maximum', 'payout_left']

/** The values with their amounts as the language writes them: `1284.50` as `1,284.50`. */
function spoken(values: Readonly<Record<string, unknown>>, language: Language) {
  const amounts = AMOUNTS.flatMap((name) => {
    const value = values[name]
    return typeof value === 'string' ? [[name, withMarks(value, language)] as const] : []
  })
  return { ...values, ...Object.fromEntries(amounts) }
}

/** The text of a key in a language, with its values filled in, amounts as the language writes them. */
export function translate(
  language: Language,
  key: MessageKey,
  values: Readonly<Record<string, unknown>> = {},
): string {
  return translatorOf(language)(key, values)
}

/** Whether a key has a text; for keys that are built from data. */
export function hasMessage(key: string): key is MessageKey {
  return Object.hasOwn(en, key)
}
