/** The code of each route's screen, loaded when it is shown, or in advance. */

import { lazyComponent } from '@sum28/ui/lazy-component.tsx'
import type { ComponentType } from 'react'
import { preloadAllTexts } from '#src/i18n/activate-language.ts'
import { withAllTexts } from '#src/i18n/with-all-texts.tsx'
import { ROUTES, type RouteName } from '#src/navigation/routes.ts'

/** A file of a screen exports its component alone. */
const FILES = import.meta.glob<Record<string, ComponentType>>('../screens/*/*-screen.tsx')

async function load(name: RouteName): Promise<ComponentType> {
  const file = `../screens/${ROUTES[name].screen}-screen.tsx`
  const [component] = Object.values((await FILES[file]?.()) ?? {})
  if (!component) throw new Error(`the screen of ${name} is not in ${file}`)
  return component
}

const SCREENS = Object.fromEntries(
  Object.keys(ROUTES).map((name) => [name, lazyComponent(() => withTexts(name as RouteName))]),
) as Record<RouteName, ComponentType>

/** The home screen's texts are in the main bundle; every other screen waits for the rest. */
async function withTexts(name: RouteName): Promise<ComponentType> {
  if (name === 'home') return load(name)
  preloadAllTexts()
  return withAllTexts(await load(name))
}

export function screenOf(name: RouteName): ComponentType {
  return SCREENS[name]
}

/** Loads a screen's code in advance; a failure is ignored. */
export function preloadScreen(name: RouteName): void {
  if (name !== 'home') preloadAllTexts()
  load(name).catch(() => {})
}
