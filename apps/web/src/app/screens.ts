/** Which component shows each route. A route that is missing here is not built yet. */
import { type ComponentType, lazy } from 'react'
import type { RouteName } from '#src/app/routes.ts'

type ScreenLoader = () => Promise<ComponentType>

const LOADERS: Partial<Record<RouteName, ScreenLoader>> = {
  home: async () => (await import('#src/screens/home/home-screen.tsx')).HomeScreen,
  login: async () => (await import('#src/screens/login/login-screen.tsx')).LoginScreen,
  register: async () => (await import('#src/screens/register/register-screen.tsx')).RegisterScreen,
  language: async () => (await import('#src/screens/language/language-screen.tsx')).LanguageScreen,
  lottery: async () => (await import('#src/screens/lottery/lottery-screen.tsx')).LotteryScreen,
  betRoom: async () => (await import('#src/screens/bet-room/bet-room-screen.tsx')).BetRoomScreen,
  personal: async () => (await import('#src/screens/personal/personal-screen.tsx')).PersonalScreen,
  setting: async () => (await import('#src/screens/setting/setting-screen.tsx')).SettingScreen,
  recharge: async () => (await import('#src/screens/recharge/recharge-screen.tsx')).RechargeScreen,
  betRecord: async () =>
    (await import('#src/screens/bet-record/bet-record-screen.tsx')).BetRecordScreen,
  betDetail: async () =>
    (await import('#src/screens/bet-detail/bet-detail-screen.tsx')).BetDetailScreen,
  capitalDetail: async () =>
    (await import('#src/screens/capital-detail/capital-detail-screen.tsx')).CapitalDetailScreen,
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
