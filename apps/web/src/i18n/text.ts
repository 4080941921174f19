import { i18n } from '@lingui/core'
import { useLingui } from '@lingui/react'
import type { TextValues, UiTextKey } from '@sum28/ui/text.ts'
import type account from '#src/locales/en/account.json'
import type charts from '#src/locales/en/charts.json'
import type content from '#src/locales/en/content.json'
import type fairness from '#src/locales/en/fairness.json'
import type hall from '#src/locales/en/hall.json'
import type money from '#src/locales/en/money.json'
import type own from '#src/locales/en/own.json'
import type protection from '#src/locales/en/protection.json'
import type room from '#src/locales/en/room.json'
import type rules from '#src/locales/en/rules.json'
import type shell from '#src/locales/en/shell.json'

/** Every key of the English catalogs. */
export type TextKey =
  | UiTextKey
  | keyof typeof shell
  | keyof typeof account
  | keyof typeof hall
  | keyof typeof room
  | keyof typeof rules
  | keyof typeof money
  | keyof typeof fairness
  | keyof typeof content
  | keyof typeof charts
  | keyof typeof protection
  | keyof typeof own

/** A text in the present language. In a component use {@link useText}, which follows a change. */
export function text(key: TextKey, values?: TextValues): string {
  return i18n._(key, values)
}

/** `t(key, values)` in the present language; the component rerenders when it changes. */
export function useText(): typeof text {
  useLingui()
  return text
}
