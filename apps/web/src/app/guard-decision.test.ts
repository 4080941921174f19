import { expect, it } from 'vitest'
import { decideGuard } from '#src/app/guard-decision.ts'

it('lets everybody open an open screen, without waiting', () => {
  for (const signedIn of [true, false]) {
    for (const canRestore of [true, false]) {
      expect(decideGuard({ access: 'open', signedIn, canRestore })).toBe('pass')
    }
  }
})

it('lets a signed-in user open a protected screen', () => {
  expect(decideGuard({ access: 'token', signedIn: true, canRestore: false })).toBe('pass')
  expect(decideGuard({ access: 'token', signedIn: true, canRestore: true })).toBe('pass')
})

it('restores the session of a remembered device before a protected screen', () => {
  expect(decideGuard({ access: 'token', signedIn: false, canRestore: true })).toBe('restore')
})

it('sends a stranger to the login screen', () => {
  expect(decideGuard({ access: 'token', signedIn: false, canRestore: false })).toBe('login')
})
