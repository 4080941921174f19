import { refresh } from '@sum28/contract/user-routes.ts'
import { expect, it } from 'vitest'
import { refuse } from '#src/refusal.ts'
import { captureLog } from '#testing/captured-log.ts'
import { bind } from './binding.ts'
import { rateLimits } from './rate-limits.ts'
import { serveRoutes } from './serve-routes.ts'
import { httpServer } from './server.ts'

it('binds the remember-me cookie to the host and to https where players come by https', async () => {
  const server = await httpServer({ log: captureLog().log, secure: true, origins: [] })
  const heard: (string | null)[] = []
  const remember = bind(refresh, async ({ rememberCookie, answer }) => {
    heard.push(rememberCookie)
    answer.setRememberCookie('the-secret', 60)
    return refuse('session_unknown')
  })
  serveRoutes(server, [remember], {
    findCaller: async () => refuse('session_unknown'),
    findStaff: async () => refuse('session_unknown'),
    rateLimits: rateLimits(false),
    secureCookies: true,
  })
  const ask = (cookie: string) =>
    server.inject({ method: 'POST', url: '/api/user/refresh', headers: { cookie } })
  const { headers } = await ask('remember=of-plain-http')
  expect(String(headers['set-cookie']).split('; ').sort()).toEqual([
    'HttpOnly',
    'Max-Age=60',
    'Path=/',
    'SameSite=Strict',
    'Secure',
    '__Host-remember=the-secret',
  ])
  await ask('__Host-remember=the-secret')
  expect(heard).toEqual([null, 'the-secret'])
  await server.close()
})
