/** Which component shows each route. */

import { lazyComponent } from '@sum28/ui/lazy-component.tsx'
import type { ComponentType } from 'react'
import type { RouteName } from '#src/app/routes.ts'
import { preloadAllTexts } from '#src/i18n/activate-language.ts'
import { withAllTexts } from '#src/i18n/with-all-texts.tsx'

type ScreenLoader = () => Promise<ComponentType>

const LOADERS: Record<RouteName, ScreenLoader> = {
  home: async () => (await import('#src/screens/home/home-screen.tsx')).HomeScreen,
  login: async () => (await import('#src/screens/login/login-screen.tsx')).LoginScreen,
  register: async () => (await import('#src/screens/register/register-screen.tsx')).RegisterScreen,
  language: async () => (await import('#src/screens/language/language-screen.tsx')).LanguageScreen,
  rules: async () => (await import('#src/screens/rules/rules-screen.tsx')).RulesScreen,
  memberRules: async () => (await import('#src/screens/rules/rules-screen.tsx')).RulesScreen,
  fairness: async () => (await import('#src/screens/fairness/fairness-screen.tsx')).FairnessScreen,
  hall: async () => (await import('#src/screens/hall/hall-screen.tsx')).HallScreen,
  rooms: async () => (await import('#src/screens/hall/rooms-screen.tsx')).RoomsScreen,
  room: async () => (await import('#src/screens/room/room-screen.tsx')).RoomScreen,
  me: async () => (await import('#src/screens/me/me-screen.tsx')).MeScreen,
  settings: async () => (await import('#src/screens/settings/settings-screen.tsx')).SettingsScreen,
  deposit: async () => (await import('#src/screens/deposit/deposit-screen.tsx')).DepositScreen,
  betHistory: async () =>
    (await import('#src/screens/bet-history/bet-history-screen.tsx')).BetHistoryScreen,
  bet: async () => (await import('#src/screens/bet/bet-screen.tsx')).BetScreen,
  statement: async () =>
    (await import('#src/screens/statement/statement-screen.tsx')).StatementScreen,
  withdrawal: async () =>
    (await import('#src/screens/withdrawal/withdrawal-screen.tsx')).WithdrawalScreen,
  payMethods: async () =>
    (await import('#src/screens/pay-methods/pay-methods-screen.tsx')).PayMethodsScreen,
  addBankCard: async () =>
    (await import('#src/screens/add-bank-card/add-bank-card-screen.tsx')).AddBankCardScreen,
  addWallet: async () =>
    (await import('#src/screens/add-wallet/add-wallet-screen.tsx')).AddWalletScreen,
  securityCode: async () =>
    (await import('#src/screens/security-code/security-code-screen.tsx')).SecurityCodeScreen,
  changePassword: async () =>
    (await import('#src/screens/change-password/change-password-screen.tsx')).ChangePasswordScreen,
  figures: async () => (await import('#src/screens/figures/figures-screen.tsx')).FiguresScreen,
  changes: async () => (await import('#src/screens/changes/changes-screen.tsx')).ChangesScreen,
  ownData: async () => (await import('#src/screens/own-data/own-data-screen.tsx')).OwnDataScreen,
  closeAccount: async () =>
    (await import('#src/screens/close-account/close-account-screen.tsx')).CloseAccountScreen,
  charts: async () => (await import('#src/screens/charts/charts-screen.tsx')).ChartsScreen,
  trend: async () => (await import('#src/screens/trend/trend-screen.tsx')).TrendScreen,
  pastRounds: async () =>
    (await import('#src/screens/past-rounds/past-rounds-screen.tsx')).PastRoundsScreen,
  notices: async () => (await import('#src/screens/notices/notices-screen.tsx')).NoticesScreen,
  support: async () => (await import('#src/screens/support/support-screen.tsx')).SupportScreen,
  passwordReset: async () =>
    (await import('#src/screens/password-reset/password-reset-screen.tsx')).PasswordResetScreen,
  lines: async () => (await import('#src/screens/lines/lines-screen.tsx')).LinesScreen,
  about: async () => (await import('#src/screens/about/about-screen.tsx')).AboutScreen,
  system: async () => (await import('#src/screens/system/system-screen.tsx')).SystemScreen,
  profile: async () => (await import('#src/screens/profile/profile-screen.tsx')).ProfileScreen,
  avatar: async () => (await import('#src/screens/avatar/avatar-screen.tsx')).AvatarScreen,
  limits: async () => (await import('#src/screens/limits/limits-screen.tsx')).LimitsScreen,
  takeBreak: async () =>
    (await import('#src/screens/take-break/take-break-screen.tsx')).TakeBreakScreen,
  saferPlay: async () =>
    (await import('#src/screens/safer-play/safer-play-screen.tsx')).SaferPlayScreen,
  promotions: async () =>
    (await import('#src/screens/promotions/promotions-screen.tsx')).PromotionsScreen,
  invite: async () => (await import('#src/screens/invite/invite-screen.tsx')).InviteScreen,
  news: async () => (await import('#src/screens/news/news-screen.tsx')).NewsScreen,
  article: async () => (await import('#src/screens/article/article-screen.tsx')).ArticleScreen,
}

const SCREENS = Object.fromEntries(
  Object.entries(LOADERS).map(([name, load]) => [
    name,
    lazyComponent(() => withTexts(name as RouteName, load)),
  ]),
) as Record<RouteName, ComponentType>

/** The home screen's texts are in the main bundle; every other screen waits for the rest. */
async function withTexts(name: RouteName, load: ScreenLoader): Promise<ComponentType> {
  if (name === 'home') return load()
  preloadAllTexts()
  return withAllTexts(await load())
}

export function screenOf(name: RouteName): ComponentType {
  return SCREENS[name]
}

/** Loads a screen's code in advance; a failure is ignored. */
export function preloadScreen(name: RouteName): void {
  if (name !== 'home') preloadAllTexts()
  LOADERS[name]().catch(() => {})
}
