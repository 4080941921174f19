import { i18n } from '@lingui/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { activateLanguage, hasAllTexts, loadAllTexts } from '#src/i18n/load.ts'

beforeAll(() => {
  Object.assign(globalThis, { document: { documentElement: { lang: '' } } })
})

describe('a language', () => {
  it('is activated with only the texts of the first screen', async () => {
    await activateLanguage('ja')
    expect(i18n.locale).toBe('ja')
    expect(document.documentElement.lang).toBe('ja')
    expect(i18n.messages).toHaveProperty(['tab.home'])
    expect(i18n.messages).not.toHaveProperty(['rules.title'])
    expect(hasAllTexts('ja')).toBe(false)
  })

  it('has all texts after they were loaded, and keeps the first ones', async () => {
    await loadAllTexts('ja')
    expect(hasAllTexts('ja')).toBe(true)
    expect(i18n.messages).toHaveProperty(['rules.title'])
    expect(i18n.messages).toHaveProperty(['tab.home'])
    await activateLanguage('ja')
    expect(i18n.messages).toHaveProperty(['rules.title'])
  })

  it('has all texts before it is activated, if they are loaded first', async () => {
    await loadAllTexts('en')
    await activateLanguage('en')
    expect(i18n.messages).toHaveProperty(['rules.title'])
    expect(i18n.messages).toHaveProperty(['tab.home'])
  })

  it('is loaded once, however many screens wait for it', () => {
    expect(loadAllTexts('ko')).toBe(loadAllTexts('ko'))
  })
})
