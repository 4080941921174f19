import { describe, expect, it } from 'vitest'
import { cookiesFor, rememberedFrom } from '#src/data/remembered.ts'

describe('remember-me', () => {
  it('keeps the user name and the device for 14 days, and nothing else', () => {
    const cookies = cookiesFor({ username: 'minh', device: true }, { secure: true })
    expect(cookies).toEqual([
      'remember_name=minh; Max-Age=1209600; Path=/; SameSite=Strict; Secure',
      'remember_device=1; Max-Age=1209600; Path=/; SameSite=Strict; Secure',
    ])
  })

  it('reads the written values back, for any user name', () => {
    const username = 'a; b=c@ü'
    const cookies = cookiesFor({ username, device: true }, { secure: false })
    const sent = cookies.map((cookie) => cookie.split('; ')[0]).join('; ')
    expect(rememberedFrom(`other=1; ${sent}`)).toEqual({ username, device: true })
  })

  it('deletes both when nothing is remembered', () => {
    const cookies = cookiesFor({ username: null, device: false }, { secure: false })
    expect(cookies.every((cookie) => cookie.includes('=; Max-Age=0;'))).toBe(true)
  })

  it('has no values without cookies or with broken ones', () => {
    const nothing = { username: null, device: false }
    expect(rememberedFrom('')).toEqual(nothing)
    expect(rememberedFrom('remember_name=%E0%A4; remember_device=0')).toEqual(nothing)
  })
})
