import type { Messages } from '@lingui/core'
import { useLingui } from '@lingui/react'
import { type Locale, languageOf } from '#src/languages.ts'
import english from '#src/locales/en/ui.json'

const OTHERS = import.meta.glob<Messages>(['./locales/*/ui.json', '!./locales/en/*.json'], {
  import: 'default',
})

/** Every key of the components' own texts. An app that shows them calls {@link loadUiTexts}. */
export type UiTextKey = keyof typeof english

export type TextValues = Record<string, string | number>

/** `t(key, values)` in the present language: another function when the language changes. */
export function useText(): (key: UiTextKey, values?: TextValues) => string {
  return useLingui()._
}

/** The present language, and its tag for `Intl`. */
export function useLocale(): { locale: Locale; tag: string } {
  const locale = useLingui().i18n.locale as Locale
  return { locale, tag: languageOf(locale)?.tag ?? 'en' }
}

/** Loads the components' own texts in a language. Rejects if they cannot be loaded; never for English. */
export async function loadUiTexts(locale: Locale): Promise<Messages> {
  const others = await OTHERS[`./locales/${locale}/ui.json`]?.()
  return { ...english, ...others }
}
