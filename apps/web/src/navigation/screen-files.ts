/** Where the code and the texts of all screens but home are: a chunk of its own, which home does not need. */

import type { ComponentType } from 'react'
import type { Messages } from '#src/i18n/text.ts'

/** By its path from here; a file of a screen exports its component alone. */
export const SCREEN_FILES = import.meta.glob<Record<string, ComponentType>>([
  '../screens/*/*-screen.tsx',
  '!../screens/home/home-screen.tsx',
])

export const TEXT_FILES = import.meta.glob<Messages>('../locales/*/screens.json', {
  import: 'default',
})
