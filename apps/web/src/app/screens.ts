/** Which component shows each route. A route that is missing here is not built yet. */
import type { ComponentType } from 'react'
import type { RouteName } from '#src/app/routes.ts'
import { preloadAllTexts } from '#src/i18n/speak-choice.ts'
import { withAllTexts } from '#src/i18n/with-all-texts.tsx'
import { lazyPiece } from '#src/ui/lazy-piece.tsx'

type ScreenLoader = () => Promise<ComponentType>

const LOADERS: Partial<Record<RouteName, ScreenLoader>> = {
  home: async () => (await import('#src/screens/home/home-screen.tsx')).HomeScreen,
  login: async () => (await import('#src/screens/login/login-screen.tsx')).LoginScreen,
  register: async () => (await import('#src/screens/register/register-screen.tsx')).RegisterScreen,
  language: async () => (await import('#src/screens/language/language-screen.tsx')).LanguageScreen,
  rules: async () => (await import('#src/screens/rules/rules-screen.tsx')).RulesScreen,
  lotteryExplain: async () => (await import('#src/screens/rules/rules-screen.tsx')).RulesScreen,
  fairness: async () => (await import('#src/screens/fairness/fairness-screen.tsx')).FairnessScreen,
  lottery: async () => (await import('#src/screens/lottery/lottery-screen.tsx')).LotteryScreen,
  room: async () => (await import('#src/screens/lottery/room-screen.tsx')).RoomScreen,
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
  withdraw: async () => (await import('#src/screens/withdraw/withdraw-screen.tsx')).WithdrawScreen,
  bankCardManage: async () =>
    (await import('#src/screens/bank-card-manage/bank-card-manage-screen.tsx'))
      .BankCardManageScreen,
  addBankCard: async () =>
    (await import('#src/screens/add-bank-card/add-bank-card-screen.tsx')).AddBankCardScreen,
  addVirtualWallet: async () =>
    (await import('#src/screens/add-virtual-wallet/add-virtual-wallet-screen.tsx'))
      .AddVirtualWalletScreen,
  setSecurityCode: async () =>
    (await import('#src/screens/set-security-code/set-security-code-screen.tsx'))
      .SetSecurityCodeScreen,
  changePassword: async () =>
    (await import('#src/screens/change-password/change-password-screen.tsx')).ChangePasswordScreen,
  find: async () => (await import('#src/screens/find/find-screen.tsx')).FindScreen,
  trendChart: async () =>
    (await import('#src/screens/trend-chart/trend-chart-screen.tsx')).TrendChartScreen,
  lotteryDetail: async () =>
    (await import('#src/screens/lottery-detail/lottery-detail-screen.tsx')).LotteryDetailScreen,
  notice: async () => (await import('#src/screens/notice/notice-screen.tsx')).NoticeScreen,
  support: async () => (await import('#src/screens/support/support-screen.tsx')).SupportScreen,
  forget: async () => (await import('#src/screens/forget/forget-screen.tsx')).ForgetScreen,
  changeLine: async () =>
    (await import('#src/screens/change-line/change-line-screen.tsx')).ChangeLineScreen,
  about: async () => (await import('#src/screens/about/about-screen.tsx')).AboutScreen,
  system: async () => (await import('#src/screens/system/system-screen.tsx')).SystemScreen,
  baseInfo: async () =>
    (await import('#src/screens/base-info/base-info-screen.tsx')).BaseInfoScreen,
  defaultAvatar: async () =>
    (await import('#src/screens/default-avatar/default-avatar-screen.tsx')).DefaultAvatarScreen,
  actionCenter: async () =>
    (await import('#src/screens/action-center/action-center-screen.tsx')).ActionCenterScreen,
  shareFriend: async () =>
    (await import('#src/screens/share-friend/share-friend-screen.tsx')).ShareFriendScreen,
  moreNews: async () =>
    (await import('#src/screens/more-news/more-news-screen.tsx')).MoreNewsScreen,
  articleDetail: async () =>
    (await import('#src/screens/article-detail/article-detail-screen.tsx')).ArticleDetailScreen,
}

const SCREENS = new Map(
  Object.entries(LOADERS).map(([name, load]) => [
    name as RouteName,
    lazyPiece(() => withTexts(name as RouteName, load)),
  ]),
)

/** The texts of the home screen came with the program; every other screen waits for the rest. */
async function withTexts(name: RouteName, load: ScreenLoader): Promise<ComponentType> {
  if (name === 'home') return load()
  preloadAllTexts()
  return withAllTexts(await load())
}

/** The screen of a route, or null where it is not built yet. */
export function screenOf(name: RouteName): ComponentType | null {
  return SCREENS.get(name) ?? null
}

/** Fetches a screen's code ahead of its first showing; failing here is no harm. */
export function preloadScreen(name: RouteName): void {
  if (name !== 'home') preloadAllTexts()
  LOADERS[name]?.().catch(() => {})
}
