import type { Profile, Userinfo } from '@sum28/contract/replies.ts'
import * as wire from '@sum28/contract/user-routes.ts'
import { type Amount, formatAmount } from '@sum28/domain/money.ts'
import { type Answer, bind, type RouteBinding } from '#src/http/binding.ts'
import { isRefusal, malformed } from '#src/refusal.ts'
import { type Account, accountById, endRememberedDevice, endSession } from './account-store.ts'
import { type CodeDeps, sendCode } from './email-code.ts'
import { logIn, REMEMBER_DAYS, recallDevice, rememberDevice } from './log-in.ts'
import { register } from './register.ts'
import { hashSecret, SESSION_IDLE_SECONDS, startSession } from './session.ts'

/** What the layers above know of a player's money, and a profile shows. Micro-units. */
export type PlayerMoney = {
  balance(playerId: number): Promise<Amount>
  /** Payouts minus stakes: of today's and yesterday's settled bets, and of all. */
  profits(playerId: number): Promise<{ today: Amount; yesterday: Amount; all: Amount }>
}

export function accountRoutes(deps: CodeDeps & { money: PlayerMoney }): RouteBinding[] {
  const { db, money } = deps

  async function signedIn(
    account: Account,
    answer: Answer,
    remember: boolean,
  ): Promise<{ userinfo: Userinfo }> {
    const { all } = await money.profits(account.id)
    const token = await startSession(db, { playerId: account.id, netAtStart: all })
    if (remember) {
      answer.setRememberCookie(await rememberDevice(db, account.id), REMEMBER_DAYS * 86_400)
    }
    return {
      userinfo: {
        user_id: account.id,
        id: account.id,
        token,
        money: formatAmount(await money.balance(account.id)),
        username: account.username,
        group_id: account.groupId,
        expires_in: SESSION_IDLE_SECONDS,
      },
    }
  }

  return [
    bind(wire.sendCode, async ({ input, lang, answer }) => {
      const event = input.event ?? input.purpose
      if (!event) return malformed({ event: 'required' })
      answer.say('success.code_sent')
      return sendCode(deps, { email: input.email, event, lang })
    }),

    bind(wire.register, async ({ input, lang, answer }) => {
      const registered = await register(deps, {
        ...input,
        email: input.email,
        code: input.code,
        groupId: input.group_id,
        inviterId: input.inviter_id,
        lang,
      })
      if (isRefusal(registered)) return registered
      const account = await accountById(db, registered.playerId)
      if (!account) throw new Error('the new account is gone')
      answer.say('success.registered')
      return signedIn(account, answer, false)
    }),

    bind(wire.login, async ({ input, answer }) => {
      const account = await logIn(db, input)
      if (isRefusal(account)) return account
      answer.say('success.signed_in')
      return signedIn(account, answer, input.remember)
    }),

    bind(wire.refresh, async ({ rememberCookie, answer }) => {
      const account = await recallDevice(db, rememberCookie)
      if (isRefusal(account)) {
        answer.clearRememberCookie()
        return account
      }
      return signedIn(account, answer, true)
    }),

    bind(wire.logout, async ({ caller, rememberCookie, answer }) => {
      await endSession(db, caller.tokenHash)
      if (rememberCookie) {
        await endRememberedDevice(db, hashSecret(rememberCookie))
        answer.clearRememberCookie()
      }
      answer.say('success.signed_out')
      return null
    }),

    bind(wire.userInfo, async ({ caller, answer }): Promise<Profile> => {
      const [account, balance, profits] = await Promise.all([
        accountById(db, caller.playerId),
        money.balance(caller.playerId),
        money.profits(caller.playerId),
      ])
      if (!account) throw new Error('a session without an account')
      answer.dataInMessage()
      return {
        username: account.username,
        userid: account.id,
        id: account.id,
        user_id: account.id,
        email: account.email ?? '',
        avatar: account.avatar,
        money: formatAmount(balance),
        today_profit: formatAmount(profits.today),
        profit: formatAmount(profits.yesterday),
        group_id: account.groupId,
        idcard: '',
        is_safety: false,
        net_position: formatAmount(profits.all - caller.netAtStart),
      }
    }),
  ]
}
