import type { Messages } from '@lingui/core'
import type { Locale } from '#src/languages.ts'
import english from '#src/locales/en/ui.json'

const OTHERS = import.meta.glob<Messages>(['./locales/*/ui.json', '!./locales/en/*.json'], {
  import: 'default',
})

/** Loads the components' own texts in a language. Rejects if they cannot be loaded; never for English. */
export async function loadUiTexts(locale: Locale): Promise<Messages> {
  const others = await OTHERS[`./locales/${locale}/ui.json`]?.()
  return { ...english, ...others }
}
