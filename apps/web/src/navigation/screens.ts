/** The code of each route's screen, loaded when it is shown, or in advance. */

import { lazyComponent } from '@sum28/ui/lazy-component.tsx'
import type { ComponentType } from 'react'
import { preloadAllTexts } from '#src/i18n/activate-language.ts'
import { withAllTexts } from '#src/i18n/load.tsx'
import { ROUTES, type RouteName, screenFileOf } from '#src/navigation/routes.ts'
import { whenIdle } from '#src/parts/when-idle.ts'

/** The home screen is part of the first load. */
const FIRST = import.meta.glob<ComponentType>('../screens/home/home-screen.tsx', {
  eager: true,
  import: 'HomeScreen',
})

async function load(name: RouteName): Promise<ComponentType> {
  const file = screenFileOf(name)
  const component = FIRST[file] ?? (await loadFile(file))
  if (!component) throw new Error(`the screen of ${name} is not in ${file}`)
  return component
}

/** A file of a screen exports one component with such a name, and for its tests perhaps functions. */
async function loadFile(file: string): Promise<ComponentType | undefined> {
  const { SCREEN_FILES } = await import('#src/navigation/screen-files.ts')
  const found = Object.entries((await SCREEN_FILES[file]?.()) ?? {})
  return found.find(([name]) => name.endsWith('Screen'))?.[1]
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

/** Loads where the screens' code is, once the browser is idle, so that a tap loads only the screen. */
export function preloadScreenFiles(): void {
  whenIdle(() => import('#src/navigation/screen-files.ts').catch(() => {}))
}

/** Loads a screen's code in advance; a failure is ignored. */
export function preloadScreen(name: RouteName): void {
  if (name !== 'home') preloadAllTexts()
  load(name).catch(() => {})
}
