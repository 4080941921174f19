/** The player's choice of a language: apart from its activation, which each start needs. */
import { languageForBrowser } from '@sum28/i18n/languages.ts'
import { retryFailedChunks } from '@sum28/ui/chunk.ts'
import { LANGUAGES, type Locale, type LocaleType } from '@sum28/ui/languages.ts'
import { deviceStorage } from '@sum28/ui/storage.ts'
import type { LanguageChoice } from '#src/i18n/activate-language.ts'
import { activateLanguage, loadAllTexts } from '#src/i18n/load.tsx'
import { language } from '#src/i18n/text.ts'

/** How many choices were made in this page: the last one takes effect, whichever is loaded first. */
let choices = 0

/**
 * Loads the language, then stores the choice; if it cannot be loaded, nothing changes.
 *
 * @returns false if another one was chosen meanwhile
 */
export async function chooseLanguage(type: LocaleType): Promise<boolean> {
  choices += 1
  const own = choices
  const isLast = () => own === choices
  const locale = localeOfChoice(type, navigator.languages)
  if (locale !== language.get().locale) {
    retryFailedChunks()
    try {
      await loadAllTexts(locale)
      await activateLanguage(locale, isLast)
    } catch (error) {
      if (isLast()) throw error
    }
  }
  if (isLast()) storeLanguageChoice(deviceStorage(), { type, locale })
  return isLast()
}

/** The language that a choice means now. */
export function localeOfChoice(type: LocaleType, systemTags: readonly string[]): Locale {
  const chosen = LANGUAGES.find((language) => language.type === type)
  return chosen?.locale ?? languageForBrowser(systemTags)
}

/** Stores a choice as `localetype` and `locale`. */
export function storeLanguageChoice(storage: Storage, choice: LanguageChoice): void {
  storage.setItem('localetype', String(choice.type))
  storage.setItem('locale', choice.locale)
}
