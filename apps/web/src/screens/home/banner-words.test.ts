import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bannerWords, linkOf } from '#src/screens/home/banner-words.ts'

describe('a banner', () => {
  it('has words laid over it when it is one of the app’s own', () => {
    for (const name of ['fairness', 'exact', 'rounds'] as const) {
      expect(bannerWords(`/banners/${name}.svg`)).toBe(name)
      const art = new URL(`../../../public/banners/${name}.svg`, import.meta.url)
      expect(existsSync(art)).toBe(true)
    }
  })

  it('has none when the operator made it', () => {
    expect(bannerWords('/uploads/fairness.svg')).toBeNull()
    expect(bannerWords('/banners/summer.svg')).toBeNull()
  })

  it('links only to a page of the app or a web page', () => {
    expect(linkOf('/lottery?game=2')).toEqual({ to: '/lottery?game=2', outside: false })
    expect(linkOf('https://example.org/x')).toEqual({ to: 'https://example.org/x', outside: true })
    for (const link of ['', '//evil.example', '/\\evil.example', 'javascript:alert(1)', 'x']) {
      expect(linkOf(link)).toBeNull()
    }
  })
})
