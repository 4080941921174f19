import { languageForBrowser } from '@sum28/i18n/languages.ts'
import { LANGUAGES } from '@sum28/ui/languages.ts'
import { deviceStorage } from '@sum28/ui/storage.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { currentLanguageChoice } from '#src/i18n/activate-language.ts'
import { chooseLanguage } from '#src/i18n/choose-language.ts'
import { activateLanguage } from '#src/i18n/load.tsx'

const systemSpeaks = (...languages: string[]) => vi.stubGlobal('navigator', { languages })

beforeAll(() => vi.stubGlobal('document', { documentElement: { lang: '' } }))
beforeEach(() => deviceStorage().clear())
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
    systemSpeaks('ja')
    expect(currentLanguageChoice()).toEqual({ type: 3, locale: 'en' })
  })

  it('is English if an invalid value is stored', () => {
    systemSpeaks('ja')
    deviceStorage().setItem('localetype', '8')
    deviceStorage().setItem('locale', '../../etc')
    expect(currentLanguageChoice()).toEqual({ type: 3, locale: 'en' })
  })

  it('is the stored locale if its number is missing', () => {
    deviceStorage().setItem('locale', 'vi')
    expect(currentLanguageChoice()).toEqual({ type: 6, locale: 'vi' })
  })

  it('follows the system as it is now, not as it was when that was chosen', async () => {
    systemSpeaks('ja')
    await chooseLanguage(0)
    expect(deviceStorage().getItem('locale')).toBe('ja')
    systemSpeaks('ko-KR')
    expect(currentLanguageChoice()).toEqual({ type: 0, locale: 'ko' })
  })

  it('is the next of the system’s languages where the app does not have the first', async () => {
    systemSpeaks('jv-ID', 'id-ID', 'en')
    await chooseLanguage(0)
    expect(deviceStorage().getItem('locale')).toBe('id')
    systemSpeaks('yue-HK', 'zh-HK')
    expect(currentLanguageChoice()).toEqual({ type: 0, locale: 'zh-TW' })
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
    systemSpeaks('fr')
    await chooseLanguage(type)
    expect(deviceStorage().getItem('localetype')).toBe(String(type))
    expect(deviceStorage().getItem('locale')).toBe(locale)
    expect(currentLanguageChoice()).toEqual({ type, locale })
    expect(document.documentElement.lang).toBe(tag)
  })
})
