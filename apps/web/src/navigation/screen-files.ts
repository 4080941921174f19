import type { ComponentType } from 'react'

/** The file of each screen by its path; it exports its component alone. A chunk of its own, which home does not need. */
export const SCREEN_FILES = import.meta.glob<Record<string, ComponentType>>([
  '../screens/*/*-screen.tsx',
  '!../screens/home/home-screen.tsx',
])
