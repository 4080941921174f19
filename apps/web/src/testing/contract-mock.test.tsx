/** Goal: the mock accepts only requests, and sends only replies, that the contract has. */
import { ALL_ROUTES } from '@sum28/contract/all-routes.ts'
import { createClient, Refusal } from '@sum28/contract/client.ts'
import { safetyInfo } from '@sum28/contract/money-routes.ts'
import { login } from '@sum28/contract/user-routes.ts'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { mockContract } from '#src/testing/contract-mock.ts'
import { sampleOf } from '#src/testing/sample-of.ts'

const clientOf = (server: { fetch: typeof fetch }, token: string | null = 'a-token') =>
  createClient({
    base: () => '',
    token: () => token,
    lang: () => 'en',
    host: 'localhost',
    fetch: server.fetch,
  })

it.each(ALL_ROUTES.map((route) => [route.path, route] as const))(
  'the least reply of %s is one that its schema takes',
  (_, route) => {
    expect(z.safeParse(route.reply, sampleOf(route.reply)).error).toBe(undefined)
  },
)

it('a reply that the schema does not accept is a fault, and is not delivered', async () => {
  const server = mockContract()
  server.answer(safetyInfo, { isTrue: 'yes' } as never)
  await expect(clientOf(server)(safetyInfo, {})).rejects.toBeInstanceOf(Refusal)
  expect(server.faults).toHaveLength(1)
})

it('a field that the reply’s schema does not have is not delivered', async () => {
  const server = mockContract()
  server.answer(safetyInfo, { isTrue: true, besides: 1 } as never)
  expect(await clientOf(server)(safetyInfo, {})).toEqual({ isTrue: true })
})

it('a request that the schema does not accept is a fault', async () => {
  const server = mockContract()
  const call = clientOf(server)
  await expect(call(login, { account: '', password: '' })).rejects.toBeInstanceOf(Refusal)
  expect(server.faults).toHaveLength(1)
})

it('a field that the request’s schema does not have is a fault', async () => {
  const server = mockContract()
  await clientOf(server)(safetyInfo, { besides: 1 } as never)
  expect(server.faults).toHaveLength(1)
})

it('a call that the contract does not have is a fault', async () => {
  const server = mockContract()
  await server.fetch('/api/user/nothing')
  expect(server.faults).toEqual(['GET /api/user/nothing is no call'])
})

it('a call for players is refused without a token', async () => {
  const server = mockContract()
  const reply = clientOf(server, null)(safetyInfo, {})
  await expect(reply).rejects.toMatchObject({ code: 401, data: { reason: 'token_missing' } })
  expect(server.faults).toEqual([])
})
