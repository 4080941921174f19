/** /api/index: public data. */
import * as z from 'zod/mini'
import { defineRoute } from './define-route.ts'
import { count, id } from './fields.ts'
import { money, odds, unix } from './replies.ts'

/** The language of a text of the operator: English where he has none in the requested one. */
const lang = z.optional(z.string())

export const home = defineRoute({
  method: 'GET',
  path: '/api/index/index',
  summary: 'Banners, winners of the last 24 hours and the version notice',
  auth: 'none',
  rate: 'read',
  reply: z.object({
    banner: z.array(z.object({ id: z.int(), image: z.string(), link: z.string() })),
    winners: z.array(
      z.object({ nickname: z.string(), game_name: z.string(), profit: money, createtime: unix }),
    ),
    version_notice: z.object({ label: z.string(), content: z.string(), lang }),
  }),
})

export const config = defineRoute({
  method: 'GET',
  path: '/api/index/config',
  summary: 'What the client must know before login',
  auth: 'none',
  rate: 'read',
  reply: z.object({
    lines: z.array(z.string()),
    support_url: z.nullable(z.string()),
    quick_amounts: z.array(z.int()),
    withdraw_min: money,
    round_seconds: z.int(),
    seal_seconds: z.int(),
    heartbeat_ms: z.int(),
    features: z.object({
      /** The demo: players can send themselves test money, and mail is captured. */
      demo: z.boolean(),
      /** `local`: the operator runs the beacon himself and could know results early. */
      beacon: z.enum(['drand', 'local']),
      robots: z.boolean(),
      support_email: z.nullable(z.string()),
      game_timezone: z.string(),
      opening_hours: z.string(),
      build: z.string(),
    }),
  }),
})

export const articleList = defineRoute({
  method: 'GET',
  path: '/api/index/articleList',
  summary: 'The hot topics, and the articles of each category; newest first',
  auth: 'none',
  rate: 'read',
  /** Articles of one category; of all when absent. */
  request: z.object({ category_id: z.optional(id) }),
  reply: z.object({
    /** From all categories, for any request. */
    tops: z.array(
      z.object({
        id: z.int(),
        title: z.string(),
        /** Sanitised HTML. */
        content: z.string(),
        lang,
        createtime: unix,
      }),
    ),
    articleTabs: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        articles: z.array(
          z.object({
            id: z.int(),
            title: z.string(),
            /** Sanitised HTML. */
            content: z.string(),
            lang,
            createtime: unix,
            /** A path within the app, or empty. */
            image: z.string(),
          }),
        ),
      }),
    ),
  }),
})

export const article = defineRoute({
  method: 'GET',
  path: '/api/index/article',
  summary: 'One article',
  auth: 'none',
  rate: 'read',
  request: z.object({ id }),
  reply: z.object({
    id: z.int(),
    title: z.string(),
    /** Sanitised HTML. */
    content: z.string(),
    lang,
    createtime: unix,
    image: z.string(),
  }),
})

export const aboutUs = defineRoute({
  method: 'GET',
  path: '/api/index/aboutus',
  summary: 'What the operator says about himself',
  auth: 'none',
  rate: 'read',
  /** Sanitised HTML. */
  reply: z.object({ about: z.object({ content: z.string(), lang }) }),
})

export const promos = defineRoute({
  method: 'GET',
  path: '/api/index/promos',
  summary: 'The promo images of the action centre, in their order',
  auth: 'none',
  rate: 'read',
  /** The title is also the picture's alternative text. */
  reply: z.array(z.object({ id: z.int(), image: z.string(), title: z.string(), lang })),
})

/** The numbers of the rules page, from the same tables by which bets are judged. */
export const rules = defineRoute({
  method: 'GET',
  path: '/api/index/rules',
  summary: "The schedule, and each room's limits, odds, chances and returns",
  auth: 'none',
  rate: 'read',
  /** Rooms of one game; of all when absent. */
  request: z.object({ game_id: z.optional(id) }),
  reply: z.object({
    /** From the opening of a round to its draw. */
    round_seconds: z.int(),
    /** The last part of it, in which no bet is accepted. */
    seal_seconds: z.int(),
    /** Whole rounds in a game day without a clock change. */
    rounds_a_day: z.int(),
    /** In local time of `game_timezone`: `10:00-02:00`. */
    opening_hours: z.string(),
    game_timezone: z.string(),
    /** Seconds after its end at which an undrawn round is voided. */
    beacon_deadline_seconds: z.number(),
    /** The most that all bets of one player in one round may pay together. */
    payout_max: money,
    rooms: z.array(
      z.object({
        id: z.int(),
        game_id: z.int(),
        game_name: z.string(),
        title: z.string(),
        /** 0 basic, 1 senior, 2 master, 3 expert. */
        type: z.int(),
        /** The smallest and largest total of one order, and the balance needed to enter. */
        min_limit: money,
        max: money,
        join_limit: money,
        rules_version: z.int(),
        /** The eight named outcomes. */
        rule_base: z.array(odds),
        /** The 28 sums. */
        rule_num: z.array(odds),
      }),
    ),
  }),
})

const notice = z.object({
  id: z.int(),
  title: z.string(),
  /** Sanitised HTML. */
  content: z.string(),
  lang,
  createtime: unix,
  /** Whether it was read before this call; the call marks it as read. */
  read: z.boolean(),
})

export const noticeList = defineRoute({
  method: 'GET',
  path: '/api/index/noticeList',
  summary:
    'Messages to the player, and announcements to all; newest first. With `before_id` only messages older than that one',
  auth: 'token',
  rate: 'read',
  request: z.object({ before_id: z.optional(count) }),
  reply: z.object({ zhannei: z.array(notice), pingtai: z.array(notice) }),
})
