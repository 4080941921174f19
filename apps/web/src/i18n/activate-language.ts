import { languageForBrowser } from '@sum28/i18n/languages.ts'
import { LANGUAGES, type Locale, type LocaleType, languageOf } from '@sum28/ui/languages.ts'
import { deviceStorage } from '@sum28/ui/storage.ts'
import { activateLanguage, loadAllTexts } from '#src/i18n/load.tsx'
import { language } from '#src/i18n/text.ts'

/** The app's language: the stored choice, or the system's if that was chosen; English if nothing valid is stored. */
export function currentLanguageChoice(): { readonly type: LocaleType; readonly locale: Locale } {
  const storage = deviceStorage()
  const type = storage.getItem('localetype')
  if (type === '0') return { type: 0, locale: languageForBrowser(navigator.languages) }
  const chosen =
    LANGUAGES.find((language) => String(language.type) === type) ??
    languageOf(storage.getItem('locale') ?? '')
  return chosen ? { type: chosen.type, locale: chosen.locale } : { type: 3, locale: 'en' }
}

/** How long the app waits at its start for the texts of the chosen language. */
const WAIT_MS = 3_000

/** The pause before failed texts are loaded again. */
const TRY_AGAIN_MS = 5_000

/**
 * Activates the stored language. If its texts are not loaded in time, activates English, which is
 * always loaded, until they are.
 */
export async function activateStoredLanguage(): Promise<void> {
  const { locale } = currentLanguageChoice()
  const inTime = await Promise.race([
    activateWhenLoaded(locale).then(() => true),
    new Promise<false>((late) => setTimeout(() => late(false), WAIT_MS)),
  ])
  if (!inTime) await activateLanguage('en', () => language.get().locale !== locale)
}

/** Activates a language as soon as its texts are loaded, unless another one is chosen by then. */
async function activateWhenLoaded(locale: Locale): Promise<void> {
  const isWanted = () => currentLanguageChoice().locale === locale
  while (isWanted()) {
    try {
      return await activateLanguage(locale, isWanted)
    } catch {
      await new Promise((done) => setTimeout(done, TRY_AGAIN_MS))
    }
  }
}

/**
 * Loads the texts that a screen will need; a failure is ignored, since the screen loads them again.
 */
export function preloadAllTexts(): void {
  const locale = language.get().locale || currentLanguageChoice().locale
  loadAllTexts(locale).catch(() => {})
}
