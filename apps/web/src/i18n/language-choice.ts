/** The app's language: the stored choice, or the system's if that was chosen. */
import { LANGUAGES, type Locale, type LocaleType, languageOf } from '@sum28/ui/languages.ts'

export type LanguageChoice = { readonly type: LocaleType; readonly locale: Locale }

/** The language of a browser's tag (`zh-Hant-HK`, `id-ID`); English if it is none of the seven. */
export function localeOfSystem(tag: string): Locale {
  const [language = '', ...rest] = tag.toLowerCase().split(/[-_]/)
  if (language === 'zh') {
    const traditional = rest.includes('hant') || rest.some((part) => /^(tw|hk|mo)$/.test(part))
    return traditional && !rest.includes('hans') ? 'zh-TW' : 'zh'
  }
  // Browsers long used the withdrawn code `in` for Indonesian.
  return languageOf(language === 'in' ? 'id' : language)?.locale ?? 'en'
}

/** The stored choice; English if nothing valid is stored. */
export function readLanguageChoice(storage: Storage, systemTag: string): LanguageChoice {
  const type = storage.getItem('localetype')
  if (type === '0') return { type: 0, locale: localeOfSystem(systemTag) }
  const chosen =
    LANGUAGES.find((language) => String(language.type) === type) ??
    languageOf(storage.getItem('locale') ?? '')
  return chosen ? { type: chosen.type, locale: chosen.locale } : { type: 3, locale: 'en' }
}

/** The language that a choice means now. */
export function localeOfChoice(type: LocaleType, systemTag: string): Locale {
  const chosen = LANGUAGES.find((language) => language.type === type)
  return chosen?.locale ?? localeOfSystem(systemTag)
}

/** Stores a choice as `localetype` and `locale`. */
export function storeLanguageChoice(storage: Storage, choice: LanguageChoice): void {
  storage.setItem('localetype', String(choice.type))
  storage.setItem('locale', choice.locale)
}
