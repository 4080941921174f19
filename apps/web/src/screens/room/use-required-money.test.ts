import { MICRO } from '@sum28/domain/money.ts'
import { expect, it, vi } from 'vitest'
import { isShort } from '#src/screens/room/use-required-money.ts'

vi.hoisted(() => Object.assign(globalThis, { location: { host: 'play.example' } }))

const REQUIRED = 100n * MICRO

it('a room counts its unsettled stakes as money, and decides nothing before the first beat', () => {
  expect(isShort({ balance: null, bought: 0n }, REQUIRED)).toBe(false)
  expect(isShort({ balance: 40n * MICRO, bought: 60n * MICRO }, REQUIRED)).toBe(false)
  expect(isShort({ balance: 40n * MICRO, bought: 59_999_999n }, REQUIRED)).toBe(true)
  expect(isShort({ balance: 0n, bought: 0n }, 0n)).toBe(false)
})
