/** Schemas of replies: the types named in the wire's description. */
import * as z from 'zod/mini'

/** Decimal text with at least two decimals: `"100.00"`, `"-3.50"`. */
export const money = z.string().check(z.regex(/^-?\d+\.\d{2,6}$/))
export const unix = z.int()

/** The most pictures of documents that a player sends to prove his identity. */
export const IDENTITY_PICTURES_MAX = 4

/** How many messages to a player one reply has at most. */
export const MESSAGES_A_REPLY = 100

/**
 * An integer as text: of two answers about one player's money, or about one game, the one with the greater version is
 * the later, whenever it was asked for and whenever it comes.
 */
export const version = z.string().check(z.regex(/^\d{1,18}$/))
export const outcome = z.string()

export const issueResult = z.object({
  issue: z.string(),
  site_1: z.nullable(z.int()),
  site_2: z.nullable(z.int()),
  site_3: z.nullable(z.int()),
  /** The sum. */
  code: z.nullable(z.int()),
  /** Long or short, then odd or even; like `join`, empty texts when the round was voided. */
  base: z.tuple([outcome, outcome]),
  join: outcome,
  status: z.enum(['drawn', 'voided']),
  drawn_at: unix,
  /** Whether a witness saw the closed book before the beacon's value existed; null without a book. */
  witnessed: z.nullable(z.boolean()),
})
export type IssueResult = z.infer<typeof issueResult>

/** A drawn round as a candle; voided rounds have none. The index starts at 0 each game day. */
export const candle = z.object({
  issue: z.string(),
  /** Open, close, low, high: whole multiples of a half. */
  cand: z.tuple([z.number(), z.number(), z.number(), z.number()]),
  /** The joint outcome. */
  cand_code: outcome,
  /** The sum. */
  code: z.int(),
  site_1: z.int(),
  site_2: z.int(),
  site_3: z.int(),
  /** As in the round's result. */
  witnessed: z.boolean(),
})
export type CandleOnWire = z.infer<typeof candle>

export const runningRound = z.object({
  issue: z.string(),
  last_issue: z.string(),
  /** Whole seconds until the seal; 0 when sealed or closed. */
  openTime1: z.int(),
  whether_close: z.boolean(),
  /** Whole seconds from its seal on until the draw; 0 before the seal, and when no round runs. */
  draw_in: z.int(),
  /** The root of the closed book, in hex; null until the seal. A client keeps it, and compares it later. */
  book_root: z.nullable(z.string()),
  /** Of all that is said of the game together with it: status, rooms, last draw. */
  version,
})
export type RunningRoundOnWire = z.infer<typeof runningRound>

export const feedMessage = z.object({
  id: z.int(),
  /** The player's number in his own entries; in those of others a number that is valid for the room and the day. */
  user_id: z.int(),
  nickname: z.string(),
  issue: z.string(),
  /** Outcome words, comma separated; the client translates them. */
  play_method: z.string(),
  /** Rule ids as a JSON array in a string. */
  play_type: z.string(),
  /** The stake on each selection. */
  quantity: money,
  /** The amount that was taken from the balance. */
  total: money,
  /** The player's balance afterwards; only in his own entries. */
  after_quantity: z.nullable(money),
  robot: z.boolean(),
  createtime: unix,
  /** Only in the player's own entries; the version is that of `after_quantity`. */
  orderNo: z.optional(z.string()),
  version: z.optional(version),
})
export type FeedMessage = z.infer<typeof feedMessage>

export const betRecord = z.object({
  orderNo: z.string(),
  createtime: unix,
  game_id: z.int(),
  name: z.string(),
  plan_name: z.string(),
  /** 0 pending, 1 settled, 2 refunded. */
  status: z.int(),
  whether_hit: z.int(),
  profit: money,
  issue: z.string(),
  /** The total staked. */
  quantity: money,
  /** Three digits and the sum, space separated; empty before the draw. */
  lottery_code: z.string(),
  play_method: z.string(),
  play_type: z.string(),
  /** As in the round's result; null before the draw. */
  witnessed: z.nullable(z.boolean()),
})
export type BetRecord = z.infer<typeof betRecord>

export const ledgerRow = z.object({
  id: z.int(),
  createtime: unix,
  /** 0 recharge, 1 withdrawal, 2 purchase, 3 profit, 4 bonus. */
  type: z.int(),
  mark: z.string(),
  /** 0 not passed, 1 passed, 2 rejected. */
  status: z.int(),
  quantity: money,
  /** The balance after the movement. */
  over: money,
  /** Of a profit: all that was staked with the bet. */
  stake: z.optional(money),
})
export type LedgerRow = z.infer<typeof ledgerRow>

/** A saved pay method; numbers are masked. */
export const payItem = z.object({
  id: z.int(),
  /** Bank: the holder. Wallet: the address. */
  acc: z.string(),
  /** Bank: the card number's last four digits. Wallet: its type. */
  acc_name: z.string(),
  acc_bank: z.string(),
  sub: z.string(),
  sub_name: z.string(),
  /** '0' virtual wallet, '1' bank account. */
  status: z.enum(['0', '1']),
})
export type PayItem = z.infer<typeof payItem>

export const plan = z.object({
  id: z.int(),
  game_id: z.int(),
  title: z.string(),
  /** 0 basic, 1 senior, 2 master, 3 expert. */
  type: z.int(),
  robot_num: z.int(),
  min_limit: money,
  join_limit: money,
  status: z.int(),
})
export type Plan = z.infer<typeof plan>

export const game = z.object({
  id: z.int(),
  name: z.string(),
  status: z.int(),
  issue: z.extend(runningRound, { last_code: z.string() }),
  planList: z.array(plan),
  /** The stops of betting that are planned for the next day, or have begun; of all rooms, or of one. */
  pauses: z.array(
    z.object({
      plan_id: z.nullable(z.int()),
      begins_at: unix,
      ends_at: unix,
      /** The operator's own words. */
      text: z.string(),
    }),
  ),
})
export type GameOnWire = z.infer<typeof game>

export const odds = z.object({
  class: z.int(),
  class_name: outcome,
  odds: z.string(),
  chance: z.string(),
  return: z.string(),
})
export type Odds = z.infer<typeof odds>

/** `buy`: staked in the room in the round `buy_issue`, which is empty when there is none. */
export const userQuantity = z.object({ money, version, buy: money, buy_issue: z.string() })

export const hitNotice = z.object({
  id: z.int(),
  issue: z.string(),
  game_name: z.string(),
  nickname: z.string(),
  /** Payout minus stake of this bet. */
  profit: money,
  /** The profit of all the player's bets in the round; the app celebrates it when above zero. */
  round_profit: money,
})
export type HitNotice = z.infer<typeof hitNotice>

export const userinfo = z.object({
  user_id: z.int(),
  id: z.int(),
  token: z.string(),
  money,
  version,
  username: z.string(),
  group_id: z.int(),
  /** The token expires after this number of seconds without use. */
  expires_in: z.int(),
})
export type Userinfo = z.infer<typeof userinfo>

export const profile = z.object({
  username: z.string(),
  userid: z.int(),
  id: z.int(),
  user_id: z.int(),
  email: z.string(),
  avatar: z.string(),
  money,
  /** Set aside for withdrawals and of held deposits. */
  held: money,
  version,
  /** Messages that he has not read. */
  unread: z.int(),
  today_profit: money,
  /** Yesterday's. */
  profit: money,
  group_id: z.int(),
  idcard: z.string(),
  is_safety: z.boolean(),
  /** Payouts minus stakes of the bets settled since this session began. */
  net_position: money,
})
export type Profile = z.infer<typeof profile>

/** A list that may grow: an array, or one page of it if the request names a page. */
export function listOf<Item extends z.core.$ZodType>(item: Item) {
  return z.union([z.array(item), z.object({ list: z.array(item), total: z.int(), page: z.int() })])
}

/** A challenge is good once, for five minutes, for what it was made for. `rp_id`: the host that passkeys are of. */
export const passkeyChallengeReply = { challenge: z.string(), rp_id: z.string() }

export const passkeyIds = z.array(z.object({ id: z.string(), transports: z.array(z.string()) }))

/** What a browser makes a passkey of. */
export const passkeyCreation = {
  ...passkeyChallengeReply,
  user: z.object({ id: z.string(), name: z.string() }),
  /** Those that he has already: no authenticator makes a second one. */
  passkeys: passkeyIds,
}
