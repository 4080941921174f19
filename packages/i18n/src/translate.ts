/** Server texts in the seven languages: ICU messages under stable keys. */
import { setupI18n } from '@lingui/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import en from './catalogs/en.json' with { type: 'json' }
import id from './catalogs/id.json' with { type: 'json' }
import ja from './catalogs/ja.json' with { type: 'json' }
import ko from './catalogs/ko.json' with { type: 'json' }
import vi from './catalogs/vi.json' with { type: 'json' }
import zh from './catalogs/zh.json' with { type: 'json' }
import zhTw from './catalogs/zh-TW.json' with { type: 'json' }
import type { Language } from './languages.ts'

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

const translators = new Map<Language, ReturnType<typeof setupI18n>>()

function translatorOf(language: Language) {
  let translator = translators.get(language)
  if (!translator) {
    const compiled = Object.fromEntries(
      Object.entries(CATALOGS[language]).map(([key, message]) => [key, compileMessage(message)]),
    )
    translator = setupI18n({ locale: language, messages: { [language]: compiled } })
    translators.set(language, translator)
  }
  return translator
}

/** Texts without values, as most answers have, by language and key. */
const fixedTexts = new Map<string, string>()

/** The text of a key in a language, with its values filled in. */
export function translate(
  language: Language,
  key: MessageKey,
  values?: Record<string, unknown>,
): string {
  if (values) return translatorOf(language)._(key, values)
  const name = `${language} ${key}`
  const known = fixedTexts.get(name)
  if (known !== undefined) return known
  const text = translatorOf(language)._(key)
  fixedTexts.set(name, text)
  return text
}

/** Whether a key has a text; for keys that are built from data. */
export function hasMessage(key: string): key is MessageKey {
  return Object.hasOwn(en, key)
}
