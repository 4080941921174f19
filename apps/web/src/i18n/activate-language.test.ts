import { languageForBrowser } from '@sum28/i18n/languages.ts'
import { LANGUAGES } from '@sum28/ui/languages.ts'
import { describe, expect, it } from 'vitest'
import { readLanguageChoice } from '#src/i18n/activate-language.ts'
import { localeOfChoice, storeLanguageChoice } from '#src/i18n/choose-language.ts'
import { MemoryStorage } from '#src/testing/memory-storage.ts'

describe('the language choice', () => {
  it.each([
    ['zh', 'zh'],
    ['zh-CN', 'zh'],
    ['zh-Hans-HK', 'zh'],
    ['zh-SG', 'zh'],
    ['zh-TW', 'zh-TW'],
    ['zh-Hant', 'zh-TW'],
    ['zh-HK', 'zh-TW'],
    ['zh_MO', 'zh-TW'],
    ['en-GB', 'en'],
    ['ja-JP', 'ja'],
    ['ko', 'ko'],
    ['VI-vn', 'vi'],
    ['id-ID', 'id'],
    ['in', 'id'],
    ['fr-FR', 'en'],
    ['', 'en'],
  ])('follows a system that speaks %s with %s', (tag, locale) => {
    expect(languageForBrowser([tag])).toBe(locale)
  })

  it('is English if nothing is stored, for any language of the system', () => {
    expect(readLanguageChoice(new MemoryStorage(), ['ja'])).toEqual({ type: 3, locale: 'en' })
  })

  it('is English if an invalid value is stored', () => {
    const storage = new MemoryStorage()
    storage.setItem('localetype', '8')
    storage.setItem('locale', '../../etc')
    expect(readLanguageChoice(storage, ['ja'])).toEqual({ type: 3, locale: 'en' })
  })

  it('is the stored locale if its number is missing', () => {
    const storage = new MemoryStorage()
    storage.setItem('locale', 'vi')
    expect(readLanguageChoice(storage, ['ja'])).toEqual({ type: 6, locale: 'vi' })
  })

  it('follows the system as it is now, not as it was when that was chosen', () => {
    const storage = new MemoryStorage()
    storeLanguageChoice(storage, { type: 0, locale: localeOfChoice(0, ['ja']) })
    expect(storage.getItem('locale')).toBe('ja')
    expect(readLanguageChoice(storage, ['ko-KR'])).toEqual({ type: 0, locale: 'ko' })
  })

  it('is the next of the system’s languages where the app does not have the first', () => {
    expect(localeOfChoice(0, ['jv-ID', 'id-ID', 'en'])).toBe('id')
    const storage = new MemoryStorage()
    storeLanguageChoice(storage, { type: 0, locale: 'id' })
    expect(readLanguageChoice(storage, ['yue-HK', 'zh-HK'])).toEqual({ type: 0, locale: 'zh-TW' })
  })

  it('is read as it was stored, for each language', () => {
    for (const { type, locale } of LANGUAGES) {
      const storage = new MemoryStorage()
      storeLanguageChoice(storage, { type, locale: localeOfChoice(type, ['fr']) })
      expect(readLanguageChoice(storage, ['fr'])).toEqual({ type, locale })
      expect(storage.getItem('localetype')).toBe(String(type))
    }
  })
})
