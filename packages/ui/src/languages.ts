/** The languages of the app, in the order and with the numbers of the language screen. */

export type Locale = 'zh' | 'zh-TW' | 'en' | 'ja' | 'ko' | 'vi' | 'id'

/** The stored `localetype`: 0 follows the system, 1–7 are the languages. */
export type LocaleType = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7

export type Language = {
  readonly type: Exclude<LocaleType, 0>
  readonly locale: Locale
  /** The language's own name, never translated. */
  readonly name: string
  /** For the document's `lang` and for `Intl`. */
  readonly tag: string
}

export const LANGUAGES: readonly Language[] = [
  { type: 1, locale: 'zh', name: '简体中文', tag: 'zh-CN' },
  { type: 2, locale: 'zh-TW', name: '繁體中文', tag: 'zh-TW' },
  { type: 3, locale: 'en', name: 'English', tag: 'en' },
  { type: 4, locale: 'ja', name: '日本語', tag: 'ja' },
  { type: 5, locale: 'ko', name: '한국어', tag: 'ko' },
  { type: 6, locale: 'vi', name: 'Tiếng Việt', tag: 'vi' },
  { type: 7, locale: 'id', name: 'Bahasa Indonesia', tag: 'id' },
]

export function languageOf(locale: string): Language | undefined {
  return LANGUAGES.find((language) => language.locale === locale)
}
