import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asciiLowerCase, canonicalEmail } from './canonical-email.ts'

const canon = (typed: string) => {
  const made = canonicalEmail(typed)
  return 'email' in made ? made.email : made.fault
}

describe('the canonical form of an address', () => {
  it.each([
    ['its case', 'Anna.LEE@Example.ORG', 'anna.lee@example.org'],
    ['space around it', '  anna@example.org\n', 'anna@example.org'],
    ['a tag, which stays', 'anna+Bets@example.org', 'anna+bets@example.org'],
    ['its dots, which stay', 'an.na@example.org', 'an.na@example.org'],
    ['a domain in its own letters', 'anna@münchen.example', 'anna@xn--mnchen-3ya.example'],
    ['the same in capitals', 'anna@MÜNCHEN.example', 'anna@xn--mnchen-3ya.example'],
    ['the same with a combining mark', 'anna@mu\u0308nchen.example', 'anna@xn--mnchen-3ya.example'],
    ['the same in IDNA’s form', 'anna@xn--mnchen-3ya.example', 'anna@xn--mnchen-3ya.example'],
    ['a full-width domain', 'anna@ｅｘａｍｐｌｅ．ｏｒｇ', 'anna@example.org'],
    ['a wide @', 'anna＠example.org', 'anna@example.org'],
    ['an ideographic full stop', 'anna@example。org', 'anna@example.org'],
    ['a soft hyphen in the domain', 'anna@exam\u00adple.org', 'anna@example.org'],
    ['a Kelvin sign in the domain', 'anna@\u212Aiwi.org', 'anna@kiwi.org'],
    ['a dotted capital I in the domain', 'anna@M\u0130.org', 'anna@xn--mi-sub.org'],
    ['a dotless i in the domain', 'anna@m\u0131.org', 'anna@xn--m-fka.org'],
  ])('is the expected one for %s', (_about, typed, email) => {
    expect(canon(typed)).toBe(email)
  })

  it('never merges two addresses whose letters only look alike', () => {
    expect(canon('anna@M\u0130.org')).not.toBe(canon('anna@mi.org'))
    expect(canon('anna@m\u0131.org')).not.toBe(canon('anna@mi.org'))
    expect(canon('anna@g\u043eogle.org')).not.toBe(canon('anna@google.org'))
  })

  it.each([
    ['a dotted capital I', 'v\u0130ctim@example.org'],
    ['a dotless i', 'v\u0131ctim@example.org'],
    ['a Kelvin sign', '\u212Aim@example.org'],
    ['a long s', 'je\u017fse@example.org'],
    ['a full-width letter', 'ａnna@example.org'],
    ['a combining mark', 'cafe\u0301@example.org'],
    ['a Cyrillic letter', 'аnna@example.org'],
    ['a zero-width space', 'an\u200bna@example.org'],
    ['quotes', '"anna"@example.org'],
    ['quotes around an @', '"anna@home"@example.org'],
    ['quotes around space', '"anna lee"@example.org'],
  ])('is refused for a name with %s', (_what, typed) => {
    expect(canon(typed)).toBe('email_local')
  })

  it.each(['.anna@example.org', 'anna.@docomo.ne.jp', 'an..na...@docomo.ne.jp'])(
    'does not exist for the dots of %s, and the fault says so',
    (typed) => {
      expect(canon(typed)).toBe('email_dots')
    },
  )

  it.each([
    'anna@example.org.',
    'anna@example.org。',
    'anna@example..org',
    'anna@.example.org',
    'anna@example',
    'anna@127.0.0.1',
    'anna@0x7f.1',
    'anna@１２７.０.０.１',
    'anna@[IPv6:::1]',
    'anna@-example.org',
    'anna@example-.org',
    'anna@exa_mple.org',
    'anna@example.org:25',
    'anna@example.org/a',
    'anna@example.org／a',
    'anna@example.org%2f',
    'anna@ex％61mple.org',
    'anna@exam\u200dple.org',
    'anna@\ud800.org',
    'anna(me)@example.org',
    'example.org',
    '@example.org',
    'a@b@example.org',
  ])('does not exist for %j', (typed) => {
    expect(canon(typed)).toBe('email')
  })

  it('is limited to the lengths of SMTP', () => {
    const label = 'd'.repeat(63)
    const domain = (length: number) =>
      `${label}.${label}.${'d'.repeat(length - 2 * 64 - '.example'.length)}.example`
    expect(canon(`${'a'.repeat(64)}@${domain(189)}`)).toHaveLength(254)
    expect(canon(`${'a'.repeat(64)}@${domain(190)}`)).toBe('too_long')
    expect(canon(`${'a'.repeat(65)}@example.org`)).toBe('too_long')
    expect(canon(`a@${'d'.repeat(64)}.org`)).toBe('email')
    // Short as typed, too long as it would be sent.
    expect(canon(`a@${'ü.'.repeat(100)}example`)).toBe('too_long')
    expect(canon(`a@${'é'.repeat(60)}.org`)).toBe('email')
  })

  it('is stable: its own canonical form is itself, in ASCII and lower case', () => {
    const part = fc.string({ unit: 'grapheme', maxLength: 12 })
    const letters = fc.constantFrom(...'abIİıK\u212Aüß.-_+"@ 1。ｅ\u0307\u00ad'.split(''))
    const typed = fc.oneof(
      fc.tuple(part, part).map(([local, domain]) => `${local}@${domain}.org`),
      fc.string({ unit: letters, maxLength: 20 }).map((text) => `a@${text}.org`),
      fc.string({ unit: letters, maxLength: 20 }).map((text) => `${text}@example.org`),
    )
    fc.assert(
      fc.property(typed, (text) => {
        const made = canonicalEmail(text)
        if (!('email' in made)) return
        expect(made.email).toMatch(/^[\x21-\x7e]+$/)
        expect(made.email).toBe(made.email.toLowerCase())
        expect(canonicalEmail(made.email)).toEqual(made)
      }),
      { numRuns: 5_000 },
    )
  })
})

describe('lower case', () => {
  it('changes only ASCII letters', () => {
    expect(asciiLowerCase('ABCxyz_09')).toBe('abcxyz_09')
    expect(asciiLowerCase('\u0130\u212AÄ\uFF21')).toBe('\u0130\u212AÄ\uFF21')
  })
})
