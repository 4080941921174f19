import { i18n } from '@lingui/core'
import { useLingui } from '@lingui/react'
import { type Locale, languageOf } from '#src/languages.ts'
import type texts from '#src/locales/en/ui.json'

/** Every key of the components' own texts. An app that shows them calls `loadUiTexts` (load-texts.ts). */
export type UiTextKey = keyof typeof texts

export type TextValues = Record<string, string | number>

function text(key: UiTextKey, values?: TextValues): string {
  return i18n._(key, values)
}

/** `t(key, values)` in the present language; the component rerenders when it changes. */
export function useText(): typeof text {
  useLingui()
  return text
}

/** The present language, and its tag for `Intl`. */
export function useLocale(): { locale: Locale; tag: string } {
  const locale = useLingui().i18n.locale as Locale
  return { locale, tag: languageOf(locale)?.tag ?? 'en' }
}
