import { languageForBrowser } from '@sum28/i18n/languages.ts'
import { LANGUAGES } from '@sum28/ui/languages.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readLanguageChoice } from '#src/i18n/activate-language.ts'
import { localeOfChoice, storeLanguageChoice } from '#src/i18n/choose-language.ts'
import { activateLanguage } from '#src/i18n/load.tsx'
import { MemoryStorage } from '#src/testing/memory-storage.ts'

beforeAll(() => vi.stubGlobal('document', { documentElement: { lang: '' } }))
afterAll(async () => {
  await activateLanguage('en')
  vi.unstubAllGlobals()
})

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

  it.each([
    { name: '简体中文', type: 1, locale: 'zh', tag: 'zh-CN' },
    { name: '繁體中文', type: 2, locale: 'zh-TW', tag: 'zh-TW' },
    { name: 'English', type: 3, locale: 'en', tag: 'en' },
    { name: '日本語', type: 4, locale: 'ja', tag: 'ja' },
    { name: '한국어', type: 5, locale: 'ko', tag: 'ko' },
    { name: 'Tiếng Việt', type: 6, locale: 'vi', tag: 'vi' },
    { name: 'Bahasa Indonesia', type: 7, locale: 'id', tag: 'id' },
  ] as const)('of $name is stored as $type and $locale', async (row) => {
    const { name, type, locale, tag } = row
    expect(LANGUAGES.find((language) => language.name === name)?.type).toBe(type)
    const storage = new MemoryStorage()
    storeLanguageChoice(storage, { type, locale: localeOfChoice(type, ['fr']) })
    expect(storage.getItem('localetype')).toBe(String(type))
    expect(storage.getItem('locale')).toBe(locale)
    expect(readLanguageChoice(storage, ['fr'])).toEqual({ type, locale })
    await activateLanguage(locale)
    expect(document.documentElement.lang).toBe(tag)
  })
})
