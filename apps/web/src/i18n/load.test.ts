import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

// Modules of its own: another file may have left a language active.
vi.resetModules()
const { activateLanguage, hasAllTexts, loadAllTexts } = await import('#src/i18n/load.tsx')
const { language, loadedMessages } = await import('#src/i18n/text.ts')

const messages = () => loadedMessages(language.get().locale || 'en')

beforeAll(() => vi.stubGlobal('document', { documentElement: { lang: '' } }))
afterAll(() => vi.unstubAllGlobals())

describe('a language', () => {
  it('is activated with only the texts of the first screen', async () => {
    await activateLanguage('ja')
    expect(language.get().locale).toBe('ja')
    expect(document.documentElement.lang).toBe('ja')
    expect(messages()).toHaveProperty(['tab.home'])
    expect(messages()).not.toHaveProperty(['rules.lead'])
    expect(hasAllTexts('ja')).toBe(false)
  })

  it('has all texts after they were loaded, and keeps the first ones', async () => {
    await loadAllTexts('ja')
    expect(hasAllTexts('ja')).toBe(true)
    expect(messages()).toHaveProperty(['rules.lead'])
    expect(messages()).toHaveProperty(['tab.home'])
    await activateLanguage('ja')
    expect(messages()).toHaveProperty(['rules.lead'])
  })

  it('has all texts before it is activated, if they are loaded first', async () => {
    await loadAllTexts('en')
    await activateLanguage('en')
    expect(messages()).toHaveProperty(['rules.lead'])
    expect(messages()).toHaveProperty(['tab.home'])
  })

  it('is loaded once, however many screens wait for it', () => {
    expect(loadAllTexts('ko')).toBe(loadAllTexts('ko'))
  })
})
