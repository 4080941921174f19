/** /api/index: what is readable before one has an account. */
import * as z from 'zod/mini'
import { money, unix } from './replies.ts'
import { defineRoute } from './route.ts'

export const home = defineRoute({
  method: 'GET',
  path: '/api/index/index',
  summary: 'Banners, winners of the last 24 hours and the version notice',
  auth: 'none',
  rate: 'read',
  request: z.object({}),
  reply: z.object({
    banner: z.array(z.object({ id: z.int(), image: z.string(), link: z.string() })),
    winners: z.array(
      z.object({ nickname: z.string(), game_name: z.string(), profit: money, createtime: unix }),
    ),
    version_notice: z.object({ label: z.string(), content: z.string() }),
  }),
})

export const config = defineRoute({
  method: 'GET',
  path: '/api/index/config',
  summary: 'What the client must know before login',
  auth: 'none',
  rate: 'read',
  request: z.object({}),
  reply: z.object({
    lines: z.array(z.string()),
    support_url: z.nullable(z.string()),
    quick_amounts: z.array(z.int()),
    withdraw_min: money,
    round_seconds: z.int(),
    seal_seconds: z.int(),
    heartbeat_ms: z.int(),
    features: z.object({
      /** Test money can be sent to oneself, and mail is captured: the demo. */
      demo: z.boolean(),
      /** `local` where the operator runs the beacon himself and could know results early. */
      beacon: z.enum(['drand', 'local']),
      usdt_deposits: z.boolean(),
      bank_deposits: z.boolean(),
      robots: z.boolean(),
      support_email: z.nullable(z.string()),
      game_timezone: z.string(),
      opening_hours: z.string(),
      build: z.string(),
    }),
  }),
})
