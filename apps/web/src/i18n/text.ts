import { i18n } from '@lingui/core'
import { useLingui } from '@lingui/react'
import { type Locale, languageOf } from '#src/i18n/languages.ts'
import type account from '#src/locales/en/account.json'
import type charts from '#src/locales/en/charts.json'
import type content from '#src/locales/en/content.json'
import type fairness from '#src/locales/en/fairness.json'
import type money from '#src/locales/en/money.json'
import type play from '#src/locales/en/play.json'
import type rules from '#src/locales/en/rules.json'
import type shell from '#src/locales/en/shell.json'

/** Every key of the English catalogs. */
export type TextKey =
  | keyof typeof shell
  | keyof typeof account
  | keyof typeof play
  | keyof typeof rules
  | keyof typeof money
  | keyof typeof fairness
  | keyof typeof content
  | keyof typeof charts

export type TextValues = Record<string, string | number>

/** A text in the language spoken now. In a component use {@link useText}, which follows a change. */
export function text(key: TextKey, values?: TextValues): string {
  return i18n._(key, values)
}

/** `t(key, values)` of the language spoken; the component renders anew when that changes. */
export function useText(): typeof text {
  useLingui()
  return text
}

/** The language spoken, and its tag for `Intl`. */
export function useLocale(): { locale: Locale; tag: string } {
  const locale = useLingui().i18n.locale as Locale
  return { locale, tag: languageOf(locale)?.tag ?? 'en' }
}
