/** The language choice of this device, and how a person changes it. */
import { i18n } from '@lingui/core'
import {
  type LanguageChoice,
  localeOfChoice,
  readLanguageChoice,
  storeLanguageChoice,
} from '#src/i18n/language-choice.ts'
import type { Locale, LocaleType } from '#src/i18n/languages.ts'
import { loadAllTexts, speak } from '#src/i18n/load.ts'

export function currentLanguageChoice(): LanguageChoice {
  return readLanguageChoice(localStorage, navigator.language)
}

/** Speaks the stored choice; English, which is always there, where its catalogs do not come. */
export async function speakStoredChoice(): Promise<void> {
  try {
    await speak(currentLanguageChoice().locale)
  } catch {
    await speak('en')
  }
}

/** Fetches the texts that a screen will need; failing here is no harm: the screen asks again. */
export function preloadAllTexts(): void {
  const locale = (i18n.locale || currentLanguageChoice().locale) as Locale
  loadAllTexts(locale).catch(() => {})
}

/** Loads the language, then stores the choice: a choice that cannot be loaded changes nothing. */
export async function chooseLanguage(type: LocaleType): Promise<void> {
  const locale = localeOfChoice(type, navigator.language)
  if (locale !== i18n.locale) {
    await loadAllTexts(locale)
    await speak(locale)
  }
  storeLanguageChoice(localStorage, { type, locale })
}
