import type { Messages } from '@lingui/core'
import type { Locale } from '#src/languages.ts'
import english from '#src/locales/en/ui.json'

const OTHERS = import.meta.glob<Messages>(['./locales/*/ui.json', '!./locales/en/*.json'], {
  import: 'default',
})

/** The components' own texts in a language. Rejects where they cannot be fetched, which English never does. */
export async function loadUiTexts(locale: Locale): Promise<Messages> {
  const others = await OTHERS[`./locales/${locale}/ui.json`]?.()
  return { ...english, ...others }
}
