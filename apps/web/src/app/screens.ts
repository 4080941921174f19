/** Which component shows each route. A route that is missing here is not built yet. */
import { type ComponentType, lazy } from 'react'
import type { RouteName } from '#src/app/routes.ts'

type ScreenLoader = () => Promise<ComponentType>

const LOADERS: Partial<Record<RouteName, ScreenLoader>> = {
  login: async () => (await import('#src/screens/login/login-screen.tsx')).LoginScreen,
  register: async () => (await import('#src/screens/register/register-screen.tsx')).RegisterScreen,
  language: async () => (await import('#src/screens/language/language-screen.tsx')).LanguageScreen,
}

const SCREENS = new Map(
  Object.entries(LOADERS).map(([name, load]) => [
    name as RouteName,
    lazy(async () => ({ default: await load() })),
  ]),
)

/** The screen of a route, or null where it is not built yet. */
export function screenOf(name: RouteName): ComponentType | null {
  return SCREENS.get(name) ?? null
}

/** Fetches a screen's code ahead of its first showing; failing here is no harm. */
export function preloadScreen(name: RouteName): void {
  LOADERS[name]?.().catch(() => {})
}
