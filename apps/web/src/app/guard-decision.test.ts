import { expect, it } from 'vitest'
import { decideGuard } from '#src/app/guard-decision.ts'

it('lets anybody open an open screen, and waits for nothing there', () => {
  for (const signedIn of [true, false]) {
    for (const canRestore of [true, false]) {
      expect(decideGuard({ access: 'open', signedIn, canRestore })).toBe('pass')
    }
  }
})

it('lets who is signed in open a protected screen', () => {
  expect(decideGuard({ access: 'token', signedIn: true, canRestore: false })).toBe('pass')
  expect(decideGuard({ access: 'token', signedIn: true, canRestore: true })).toBe('pass')
})

it('trades a remembered device before a protected screen', () => {
  expect(decideGuard({ access: 'token', signedIn: false, canRestore: true })).toBe('restore')
})

it('sends a stranger to the login screen', () => {
  expect(decideGuard({ access: 'token', signedIn: false, canRestore: false })).toBe('login')
})
