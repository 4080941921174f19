import { describe, expect, it } from 'vitest'
import { profileGuess } from '#src/screens/profile/profile-guess.ts'

describe('the first guess of a profile', () => {
  it('has the values of the address that have the server’s form', () => {
    const query = { name: 'mei_28', id: '1007', email: 'mei@example.com', avatar: 'preset:3' }
    expect(profileGuess(query)).toEqual({
      username: 'mei_28',
      id: '1007',
      email: 'mei@example.com',
      avatar: 'preset:3',
    })
  })

  it('is empty if the address has no values', () => {
    expect(profileGuess({})).toEqual({ username: '', id: '', email: '', avatar: '' })
  })

  it.each([
    'https://elsewhere.example/me.png',
    '//elsewhere.example/me.png',
    'javascript:alert(1)',
    'data:image/svg+xml,<svg/>',
    '/api/user/logout?x=1',
    'preset:9',
  ])('takes no picture from %s', (avatar) => {
    expect(profileGuess({ avatar }).avatar).toBe('')
  })

  it('does not accept a sentence as a name', () => {
    expect(profileGuess({ name: 'Call 555 0100 to unlock' }).username).toBe('')
  })
})
