import type { Profile } from '@sum28/contract/replies.ts'
import { userInfo } from '@sum28/contract/user-routes.ts'
import { amountFromWire } from '@sum28/domain/money.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#src/data/client.ts'
import { laterOf } from '#src/data/live/later.ts'
import { type Money, moneyFromWire } from '#src/data/money.ts'
import { queryClient } from '#src/data/query-client.ts'
import { keepProfile } from '#src/data/session-watch.ts'

const MEMBERS = 1

const KEY = ['profile']

export type Player = ReturnType<typeof playerFromWire>

/** The player, with his latest known balance. */
export function playerFromWire(profile: Profile) {
  return {
    ...moneyFromWire(profile),
    /** What is set aside for withdrawals and of held deposits. */
    held: amountFromWire(profile.held),
    id: profile.id,
    name: profile.username,
    email: profile.email,
    /** `preset:1` … `preset:8`, or the address of an upload; empty without a picture. */
    avatar: profile.avatar,
    /** The number of his identity document, masked; empty if he gave none. */
    document: profile.idcard,
    groupId: profile.group_id,
    /** Whether his group is that of members; others are visitors. */
    isMember: profile.group_id === MEMBERS,
    unread: profile.unread,
    hasSecurityCode: profile.is_safety,
    profitToday: amountFromWire(profile.today_profit),
    profitYesterday: amountFromWire(profile.profit),
  }
}

/** The player with the later one of his own balance and another. */
export function withMoney(player: Player, money: Money): Player {
  const { balance, held = player.held, version } = laterOf<Money>(money, player)
  return { ...player, balance, held, version }
}

/** The player with his latest known balance; each answer also updates the stored session. */
export const profileQuery = queryOptions({
  queryKey: KEY,
  queryFn: async ({ signal }) => {
    const profile = await call(userInfo, {}, { signal })
    keepProfile(profile)
    const player = playerFromWire(profile)
    // A balance that came meanwhile by the stream or with an order's reply stays, if it is the later one.
    const known = queryClient.getQueryData<Player>(KEY)
    return known ? withMoney(player, known) : player
  },
})

/** Takes note of a balance that an event or another reply brought. */
export function learnMoney(money: Money): void {
  queryClient.setQueryData(profileQuery.queryKey, (known) => {
    if (!known || money.version <= known.version) return known
    return withMoney(known, money)
  })
}
