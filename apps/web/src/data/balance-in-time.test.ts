import { expect, it, vi } from 'vitest'
import { depositQuery } from '#src/data/deposit.ts'
import { liveProfileQuery } from '#src/data/profile.ts'
import { withdrawalQuery } from '#src/data/withdrawal.ts'

vi.hoisted(() => Object.assign(globalThis, { location: { host: 'play.example' } }))

const WITHIN_MS = 2_000

it.each([
  ['home and the lobby', liveProfileQuery],
  ['the deposit screen', depositQuery],
  ['the withdrawal screen', withdrawalQuery],
])('%s ask for the balance often enough to show a posting within two seconds', (_, query) => {
  expect(query.refetchInterval).toBeLessThan(WITHIN_MS)
})
