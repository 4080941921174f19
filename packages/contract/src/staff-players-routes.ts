/** The console's area of players: search, the page of a player, and actions of staff on him; bets, deposits, templates. */
import { MICRO } from '@sum28/domain/money.ts'
import * as z from 'zod/mini'
import { centAmount, day, id, issue, optionalChoice, optionalText, text } from './fields.ts'
import { money, unix } from './replies.ts'
import { TEXT_LANGUAGES } from './staff-content-routes.ts'
import { due, listPage, listRequest } from './staff-list.ts'
import { PROPOSAL_STATES } from './staff-proposal-routes.ts'
import { defineStaffRoute } from './staff-route.ts'
import { WITHDRAWAL_STATES } from './withdrawal-states.ts'

/** The states of an account; `closed`: by the player, permanently. */
const PLAYER_STATES = ['active', 'frozen', 'closed'] as const
export type PlayerState = (typeof PLAYER_STATES)[number]
const state = z.enum(PLAYER_STATES)

/** From this amount on bets and deposits are found by their amount alone, without days. */
export const LARGE_AMOUNT = 10_000n * MICRO

/** The ways by which deposits come. */
export const DEPOSIT_METHODS = ['chain', 'bank'] as const

export const listedPlayer = z.object({
  id: z.int(),
  username: z.string(),
  email: z.nullable(z.string()),
  /** 1: member, with a proved e-mail address. 2: visitor. */
  group_id: z.int(),
  state,
  /** Cash, and the amount reserved for withdrawals and held deposits. */
  cash: money,
  held: money,
  registered_at: unix,
})
export type ListedPlayer = z.infer<typeof listedPlayer>

export const listPlayers = defineStaffRoute({
  path: '/api/staff/players',
  summary:
    'Players by name, e-mail address, number, deposit address, order number or transaction; filtered',
  action: 'players.read',
  request: listRequest(['registered_at', 'username'], {
    /**
     * Any part of a name or an e-mail address, with one or two letters its beginning; or a whole number, deposit
     * address, own wallet, order number, transaction, reference of the bank or own RF reference; or the last four
     * characters of a card.
     */
    q: optionalText(254),
    /** `whole`: only players whose number, name or e-mail address `q` is. */
    match: z.optional(z.enum(['whole'], { error: 'choice' })),
    state: z.optional(z.enum(PLAYER_STATES, { error: 'choice' })),
    /** Closed accounts to which money came back unpaid. */
    due,
    group_id: optionalChoice([1, 2]),
    /** Days of the operator's zone, both included. */
    from_day: z.optional(day),
    until_day: z.optional(day),
  }),
  reply: listPage(listedPlayer),
})

const person = z.object({ id: z.int(), username: z.string() })

export const playerPage = z.object({
  id: z.int(),
  username: z.string(),
  email: z.nullable(z.string()),
  group_id: z.int(),
  state,
  lang: z.string(),
  registered_at: unix,
  /** The last change of security data, such as the password; withdrawals are on hold for a time after it. */
  sensitive_changed_at: z.nullable(unix),
  invited_by: z.nullable(person),
  deposit_address: z.nullable(z.string()),
  /** The time since which he must set a new password to sign in; null: he need not. */
  password_required_at: z.nullable(unix),
  security_code: z.object({ is_set: z.boolean(), locked_until: z.nullable(unix) }),
  /** How many he has. */
  passkeys: z.int(),
  /** Null: off. `app`: whether an authenticator app is part of it. */
  second_factor: z.nullable(z.object({ since: unix, app: z.boolean(), recovery_codes: z.int() })),
  /** The present freeze. */
  freeze: z.nullable(z.object({ reason: z.string(), by: z.string(), at: unix })),
  figures: z.object({
    cash: money,
    held: money,
    deposited: money,
    withdrawn: money,
    /** Of settled bets. */
    staked: money,
    paid: money,
    /** Payouts minus stakes: below zero if the player has lost. */
    net: money,
  }),
  limits: z.array(
    z.object({
      kind: z.enum(['deposit', 'loss', 'stake']),
      period: z.enum(['day', 'week', 'month']),
      /** The player's own; null: none. */
      own: z.nullable(money),
      /** The lowest limit in force, and who set it. */
      amount: z.nullable(money),
      by: z.nullable(z.enum(['player', 'operator', 'law'])),
      used: money,
    }),
  ),
  /** A break that he has taken; `until` is null if it has no end date. */
  exclusion: z.nullable(
    z.object({
      kind: z.enum(['time_out', 'self_exclusion', 'likeness', 'under_age']),
      until: z.nullable(unix),
      may_ask_from: z.nullable(unix),
    }),
  ),
  /** Whether he is on a break or under review: nothing that advertises is sent to him. */
  no_advertising: z.boolean(),
  /** Present ones; a card's number is masked, a wallet's shortened. */
  pay_methods: z.array(
    z.object({
      id: z.int(),
      kind: z.enum(['bank', 'wallet']),
      number: z.string(),
      label: z.string(),
      bank_name: z.string(),
      created_at: unix,
      /** Whether staff saved it, for the rest of a closed account. */
      by_staff: z.boolean(),
    }),
  ),
  /** The latest. */
  sessions: z.array(
    z.object({
      created_at: unix,
      seen_at: unix,
      ended_at: z.nullable(unix),
      ended_by: z.nullable(z.string()),
      /** Where it was begun: an address, or a /64 of IPv6; and the program. Empty: not known. */
      network: z.string(),
      device: z.string(),
    }),
  ),
  /** Devices that sign in by themselves. */
  devices: z.array(z.object({ created_at: unix, expires_at: unix })),
})
export type PlayerPage = z.infer<typeof playerPage>

export const onePlayer = defineStaffRoute({
  path: '/api/staff/players/one',
  summary: 'One player: profile, money, limits, pay methods, sessions and devices',
  action: 'players.read',
  request: z.object({ user_id: id }),
  reply: playerPage,
})

/** What accounts can share, and how many may share a device or network before it says nothing of any. */
export const LINKS = ['card', 'wallet', 'device', 'network'] as const
export const LINKED_MAX = 20

export const playerLinks = defineStaffRoute({
  path: '/api/staff/players/links',
  summary:
    'Other accounts with a card, wallet or device of a player, or a network of the last 30 days',
  action: 'players.read',
  request: z.object({ user_id: id }),
  reply: z.object({
    /** Of each kind the latest 50. */
    list: z.array(
      z.object({
        by: z.enum(LINKS),
        user_id: z.int(),
        username: z.string(),
        state,
        /** When both were last seen with it. */
        at: unix,
      }),
    ),
    /** How many of his devices and networks are shared by more than `LINKED_MAX` others, such as a hotel's. */
    crowded: z.array(z.object({ by: z.enum(LINKS), count: z.int() })),
  }),
})

export const playerStatement = defineStaffRoute({
  path: '/api/staff/players/statement',
  summary: 'All postings of a player, newest first',
  action: 'players.read',
  request: listRequest(['at'], { user_id: id }),
  reply: listPage(
    z.object({
      id: z.int(),
      at: unix,
      kind: z.string(),
      /** Such as `house:game`, `cash`, `held`. */
      source: z.string(),
      destination: z.string(),
      quantity: money,
      cash_after: money,
      held_after: money,
      reference: z.string(),
    }),
  ),
})

const bet = z.object({
  id: z.int(),
  order_no: z.string(),
  at: unix,
  game: z.string(),
  room: z.string(),
  issue: z.string(),
  outcomes: z.array(z.string()),
  /** On each outcome, and in total. */
  stake: money,
  total: money,
  status: z.enum(['accepted', 'won', 'lost', 'refunded']),
  payout: money,
})

export const playerBets = defineStaffRoute({
  path: '/api/staff/players/bets',
  summary: 'Bets of a player, newest first',
  action: 'players.read',
  request: listRequest(['id'], {
    user_id: id,
    /** An order number. */
    q: optionalText(100),
  }),
  reply: listPage(bet),
})

export const listBets = defineStaffRoute({
  path: '/api/staff/bets',
  summary: 'Bets of all players, newest first: by time, amount, room and round',
  action: 'rounds.read',
  request: listRequest(['id'], {
    game_id: z.optional(id),
    room_id: z.optional(id),
    /** A round’s number, such as 20261120001. */
    issue: z.optional(issue),
    /** Days of the operator's zone, both included. */
    from_day: z.optional(day),
    until_day: z.optional(day),
    /** Of the whole bet. Less than `LARGE_AMOUNT` needs a round, at most 31 days of a room, or at most 7 days. */
    amount_from: z.optional(centAmount),
    amount_until: z.optional(centAmount),
  }),
  reply: listPage(
    z.object({ user_id: z.int(), username: z.string(), robot: z.boolean(), ...bet.shape }),
  ),
})

const deposit = z.object({
  /** Unique among all deposits. */
  id: z.string(),
  at: unix,
  by: z.enum(DEPOSIT_METHODS),
  quantity: money,
  /** What was taken back of it: of a bank deposit that was booked by mistake, also a part. */
  taken_back: money,
  /**
   * Whether a transfer is credited, or the state of a bank deposit; both can be `held` and `refunded`. A bank deposit
   * can be `taken_back`: it was booked by mistake.
   */
  state: z.enum(['seen', 'credited', ...PROPOSAL_STATES, 'held', 'refunded', 'taken_back']),
  /** The transaction, or the bank's reference. */
  reference: z.string(),
})

export const listDeposits = defineStaffRoute({
  path: '/api/staff/deposits',
  summary: 'Deposits of all players, newest first: by time, amount and method',
  action: 'heldDeposits.read',
  request: listRequest(['at'], {
    by: z.optional(z.enum(DEPOSIT_METHODS, { error: 'choice' })),
    /** Days of the operator's zone, both included. */
    from_day: z.optional(day),
    until_day: z.optional(day),
    /** Less than `LARGE_AMOUNT` needs at most 31 days. */
    amount_from: z.optional(centAmount),
    amount_until: z.optional(centAmount),
  }),
  reply: listPage(z.object({ user_id: z.int(), username: z.string(), ...deposit.shape })),
})

export const playerDeposits = defineStaffRoute({
  path: '/api/staff/players/deposits',
  summary: 'Deposits of a player, on the chain and by bank, newest first',
  action: 'players.read',
  request: listRequest(['at'], { user_id: id }),
  reply: listPage(deposit),
})

export const playerWithdrawals = defineStaffRoute({
  path: '/api/staff/players/withdrawals',
  summary: 'Withdrawals of a player, newest first',
  action: 'players.read',
  request: listRequest(['id'], { user_id: id }),
  reply: listPage(
    z.object({
      id: z.int(),
      requested_at: unix,
      quantity: money,
      /** What earlier transactions paid of it: it stays paid if the rest is returned. */
      paid_part: money,
      state: z.enum(WITHDRAWAL_STATES),
      /** Masked if it is a card's, shortened if it is a wallet's. */
      payee: z.string(),
      decided_at: z.nullable(unix),
      reject_reason: z.nullable(z.string()),
      paid_at: z.nullable(unix),
    }),
  ),
})

export const playerInvitees = defineStaffRoute({
  path: '/api/staff/players/invitees',
  summary: 'Whom a player has invited, newest first',
  action: 'players.read',
  request: listRequest(['id'], { user_id: id }),
  reply: listPage(z.object({ id: z.int(), username: z.string(), state, registered_at: unix })),
})

export const playerActions = defineStaffRoute({
  path: '/api/staff/players/actions',
  summary: 'What staff did about a player, his withdrawals and his bank deposits, newest first',
  action: 'audit.read',
  request: listRequest(['id'], { user_id: id }),
  reply: listPage(
    z.object({
      id: z.int(),
      at: unix,
      staff: z.nullable(z.string()),
      action: z.string(),
      subject: z.string(),
      details: z.record(z.string(), z.unknown()),
    }),
  ),
})

/** The most characters of a note or a message. */
const WRITTEN_MAX = 500

export const playerNotes = defineStaffRoute({
  path: '/api/staff/players/notes',
  summary: 'What staff have written down about a player, newest first',
  action: 'players.read',
  request: listRequest(['id'], { user_id: id }),
  reply: listPage(z.object({ id: z.int(), at: unix, by: z.string(), text: z.string() })),
})

export const playerMessages = defineStaffRoute({
  path: '/api/staff/players/messages',
  summary: 'What the player was told in the app, and by mail if he has an address; newest first',
  action: 'players.read',
  request: listRequest(['id'], { user_id: id }),
  /** Title and text in English; the player reads them in his language. */
  reply: listPage(
    z.object({ id: z.int(), at: unix, title: z.string(), text: z.string(), read: z.boolean() }),
  ),
})

export const addNote = defineStaffRoute({
  path: '/api/staff/players/note',
  summary: 'Writes a note about a player, which he never sees; notes are not changed',
  action: 'players.note',
  request: z.object({ user_id: id, text: text({ max: WRITTEN_MAX }) }),
})

export const keepRest = defineStaffRoute({
  path: '/api/staff/players/keepRest',
  summary:
    'Writes down why what is left in a closed account stays booked, as a note and in the log',
  action: 'withdrawals.rest',
  request: z.object({ user_id: id, reason: text({ max: 200 }) }),
})

export const sendMessage = defineStaffRoute({
  path: '/api/staff/players/message',
  summary: 'Leaves a message in a player’s inbox and mails it to him',
  action: 'players.message',
  /** `purpose`: needed while he is on a break or under review, when nothing else may be sent to him. */
  request: z.object({
    user_id: id,
    text: text({ max: WRITTEN_MAX }),
    purpose: z.optional(z.enum(['answer', 'account'])),
  }),
})

const template = z.object({
  id: z.int(),
  version: z.int(),
  /** For staff. */
  name: z.string(),
  /** Plain texts, English always. */
  texts: z.array(z.object({ lang: z.enum(TEXT_LANGUAGES), text: z.string() })),
  /** The languages without a text, in whose place English is taken. */
  missing: z.array(z.enum(TEXT_LANGUAGES)),
  changed_by: z.string(),
  changed_at: unix,
})
export type MessageTemplate = z.infer<typeof template>

export const listTemplates = defineStaffRoute({
  path: '/api/staff/templates',
  summary: 'Templates of messages to players, by their names',
  action: 'templates.read',
  reply: z.array(template),
})

export const saveTemplate = defineStaffRoute({
  path: '/api/staff/templates/save',
  summary: 'Makes a template, or changes one: a language that is left empty goes',
  action: 'templates.write',
  request: z.object({
    /** Absent: a new one. */
    id: z.optional(id),
    /** The version on which the caller's form is based: refused if it is not the present one. Needed with `id`. */
    version: z.optional(id),
    name: text({ max: 60 }),
    text_en: text({ max: WRITTEN_MAX }),
    text_zh: optionalText(WRITTEN_MAX),
    'text_zh-TW': optionalText(WRITTEN_MAX),
    text_ja: optionalText(WRITTEN_MAX),
    text_ko: optionalText(WRITTEN_MAX),
    text_vi: optionalText(WRITTEN_MAX),
    text_id: optionalText(WRITTEN_MAX),
  }),
})

export const removeTemplate = defineStaffRoute({
  path: '/api/staff/templates/remove',
  summary: 'Removes a template; messages that were sent stay as they are',
  action: 'templates.write',
  request: z.object({ id, version: id }),
})

export const endSessions = defineStaffRoute({
  path: '/api/staff/players/endSessions',
  summary: 'Signs a player out everywhere, also from the devices that sign in by themselves',
  action: 'players.endSessions',
  request: z.object({ user_id: id, reason: text({ max: 200 }) }),
})

export const requirePassword = defineStaffRoute({
  path: '/api/staff/players/requirePassword',
  summary: 'Signs a player out everywhere; he signs in again only with a new password, set by mail',
  action: 'players.requirePassword',
  request: z.object({ user_id: id, reason: text({ max: 500 }) }),
})
