import { retryFailedChunks } from '@sum28/ui/chunk.ts'
import type { Locale, LocaleType } from '@sum28/ui/languages.ts'
import { deviceStorage } from '@sum28/ui/storage.ts'
import { language } from '@sum28/ui/text.ts'
import {
  type LanguageChoice,
  localeOfChoice,
  readLanguageChoice,
  storeLanguageChoice,
} from '#src/i18n/language-choice.ts'
import { activateLanguage, loadAllTexts } from '#src/i18n/load.ts'

export function currentLanguageChoice(): LanguageChoice {
  return readLanguageChoice(deviceStorage(), navigator.language)
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

/** Loads the language, then stores the choice; if it cannot be loaded, nothing changes. */
export async function chooseLanguage(type: LocaleType): Promise<void> {
  const locale = localeOfChoice(type, navigator.language)
  if (locale !== language.get().locale) {
    retryFailedChunks()
    await loadAllTexts(locale)
    await activateLanguage(locale)
  }
  storeLanguageChoice(deviceStorage(), { type, locale })
}
