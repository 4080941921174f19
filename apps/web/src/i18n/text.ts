import { useStore } from '@sum28/ui/store.ts'
import { language, type TextValues, type UiTextKey } from '@sum28/ui/text.ts'
import type screens from '#src/locales/en/screens.json'
import type shell from '#src/locales/en/shell.json'

/** Every key of the English catalogs. */
export type TextKey = UiTextKey | keyof typeof shell | keyof typeof screens

/** A text in the present language. In a component use {@link useText}, which follows a change. */
export function text(key: TextKey, values?: TextValues): string {
  return language.get().t(key, values)
}

/** `t(key, values)` in the present language: another function when the language changes. */
export function useText(): typeof text {
  return useStore(language).t
}
