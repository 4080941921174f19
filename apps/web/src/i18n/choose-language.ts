/** The player's choice of a language: apart from its activation, which each start needs. */
import { languageForBrowser } from '@sum28/i18n/languages.ts'
import { retryFailedChunks } from '@sum28/ui/chunk.ts'
import { LANGUAGES, type LocaleType } from '@sum28/ui/languages.ts'
import { deviceStorage } from '@sum28/ui/storage.ts'
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
  const chosen = LANGUAGES.find((language) => language.type === type)
  const locale = chosen?.locale ?? languageForBrowser(navigator.languages)
  if (locale !== language.get().locale) {
    retryFailedChunks()
    try {
      await loadAllTexts(locale)
      await activateLanguage(locale, isLast)
    } catch (error) {
      if (isLast()) throw error
    }
  }
  if (!isLast()) return false
  deviceStorage().setItem('localetype', String(type))
  deviceStorage().setItem('locale', locale)
  return true
}
