import { describe, expect, it } from 'vitest'
import { cookiesFor, LEFT, NOTHING, rememberedFrom } from '#src/data/remembered.ts'

describe('remember-me', () => {
  it('keeps the user name for 14 days', () => {
    expect(cookiesFor({ username: 'minh' }, { secure: true })).toEqual([
      'remember_name=minh; Max-Age=1209600; Path=/; SameSite=Strict; Secure',
    ])
  })

  it('reads user name and mark, for any user name', () => {
    const username = 'a; b=c@ü'
    const [name = ''] = cookiesFor({ username }, { secure: false })
    const sent = `other=1; ${name.split('; ')[0]}; remember_device=7`
    expect(rememberedFrom(sent)).toEqual({ username, device: 7 })
  })

  it('says as long that the player has left', () => {
    const [, mark] = cookiesFor({ username: 'minh', device: LEFT }, { secure: false })
    expect(mark).toBe('remember_device=-1; Max-Age=1209600; Path=/; SameSite=Strict')
  })

  it('deletes both when nothing is remembered', () => {
    const cookies = cookiesFor(NOTHING, { secure: false })
    expect(cookies).toHaveLength(2)
    expect(cookies.every((cookie) => cookie.includes('=; Max-Age=0;'))).toBe(true)
  })

  it('has no values without cookies or with broken ones', () => {
    const nothing = { username: null, device: 0 }
    expect(rememberedFrom('')).toEqual(nothing)
    expect(rememberedFrom('remember_name=%E0%A4; remember_device=0')).toEqual(nothing)
  })
})
