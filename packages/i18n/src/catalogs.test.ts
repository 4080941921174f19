import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { REASONS } from '@sum28/contract/envelope.ts'
import { describe, expect, test } from 'vitest'
import en from './catalogs/en.json' with { type: 'json' }
import id from './catalogs/id.json' with { type: 'json' }
import ja from './catalogs/ja.json' with { type: 'json' }
import ko from './catalogs/ko.json' with { type: 'json' }
import vi from './catalogs/vi.json' with { type: 'json' }
import zh from './catalogs/zh.json' with { type: 'json' }
import zhTw from './catalogs/zh-TW.json' with { type: 'json' }
import glossary from './glossary.json' with { type: 'json' }
import { LANGUAGES, type Language, languageForBrowser, languageOf } from './languages.ts'
import { withMarks } from './numbers.ts'
import { hasMessage, type MessageKey, translate } from './translate.ts'

const CATALOGS: Record<Language, Record<string, string>> = {
  en,
  zh,
  'zh-TW': zhTw,
  ja,
  ko,
  vi,
  id,
}

const KEYS = Object.keys(en) as MessageKey[]
const TRANSLATIONS = LANGUAGES.filter(
  (language): language is Exclude<Language, 'en'> => language !== 'en',
)

/** Messages that may equal the English one: `<language> <key>`, and the reason. */
const SAME_AS_ENGLISH: Record<string, string> = {
  'id csv.odds': 'a loan word',
  'id csv.status': 'the same word',
  'id mark.bonus': 'the same word',
  'ko mark.because': 'a colon alone',
  'vi mark.because': 'a colon alone',
  'id mark.because': 'a colon alone',
}

const VALUES = {
  seconds: 30,
  drift: 90,
  device: 'Firefox · Linux',
  hours: 5,
  minutes: 10,
  request_id: 'req-1',
  minimum: '100.00',
  maximum: '500.00',
  left: '150.00',
  payout_maximum: '1000000.00',
  payout_left: '40000.00',
  code: '012345',
  issue: '20261120001',
  text: 'Your card is here',
  amount: '100.00',
  payee: 'Bank of Hanoi •••• 4242',
  reason: 'The name is another',
  reference: 'tx-0001',
  changed: 'stake_min',
  limit: 'u',
  until: '2026年12月1日 14:30 GMT+8',
  days: '7',
  by: 'ann.lee',
  line: 3,
  problem: 'reference',
  other_than: 12,
  username: 'ann_lee',
  name: 'Pixel 9',
  game: 'DOT',
}

describe.each(LANGUAGES)('the catalog of %s', (language) => {
  const catalog = CATALOGS[language]

  test('has exactly the keys of English, in the same order', () => {
    expect(Object.keys(catalog)).toEqual(KEYS)
  })

  test('has no message that is empty, is padded with spaces or has an exclamation mark', () => {
    expect(entriesWhere(catalog, (text) => text === '' || text !== text.trim())).toEqual([])
    expect(entriesWhere(catalog, (text) => /[!！]/.test(text))).toEqual([])
  })

  // compileMessage prints a fault and returns the raw text; the function that it wraps throws.
  test.each(KEYS)('compiles %s, with the same placeholders as English', (key) => {
    const placeholders = placeholdersOf(compileMessageOrThrow(textOf(language, key)))
    expect(placeholders).toEqual(placeholdersOf(compileMessageOrThrow(en[key])))
  })

  test('has every plural form of the language', () => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    for (const key of KEYS) {
      for (const forms of pluralsOf(compileMessageOrThrow(textOf(language, key)))) {
        expect(forms.toSorted(), key).toEqual(categories.toSorted())
      }
    }
  })

  test('fills in every placeholder', () => {
    for (const key of KEYS) {
      const text = translate(language, key, VALUES)
      expect(text, key).not.toMatch(/[{}#]|undefined/)
      for (const name of placeholdersOf(compileMessageOrThrow(en[key]))) {
        const value = String(VALUES[name as keyof typeof VALUES])
        // An amount has the language's marks.
        expect(text, key).toContain(/^\d+\.\d{2}$/.test(value) ? withMarks(value, language) : value)
      }
    }
  })

  test('has a text for every reason of refusal', () => {
    const missing = REASONS.filter((reason) => !(`refusal.${reason}` in catalog))
    expect(missing).toEqual([])
  })

  test('keeps the paragraphs of the English mails', () => {
    for (const key of KEYS) {
      expect(textOf(language, key).split('\n').length, key).toBe(en[key].split('\n').length)
    }
  })
})

test.each(TRANSLATIONS)('%s has no untranslated message', (language) => {
  const same = KEYS.filter((key) => textOf(language, key) === en[key])
  expect(same.filter((key) => !(`${language} ${key}` in SAME_AS_ENGLISH))).toEqual([])
})

test('amounts have the marks of the language, and what players wrote is as they wrote it', () => {
  const credited = (language: Language) =>
    translate(language, 'notice.withdrawal_paid.text', {
      amount: '1234567.50',
      payee: 'Bank 1234.50',
      reference: '1234.50',
    })
  expect(credited('en')).toContain('1,234,567.50 u to Bank 1234.50')
  expect(credited('vi')).toContain('1.234.567,50')
  expect(credited('vi')).toContain('Bank 1234.50')
  expect(translate('id', 'refusal.below_minimum', { minimum: '10.00' })).toContain('10,00 u')
})

describe('the glossary', () => {
  const english = allTexts('en')

  test.each(TRANSLATIONS)(
    'has one word of %s for each English one, and every text has it',
    (language) => {
      const texts = allTexts(language)
      for (const [word, translations] of Object.entries(glossary.words)) {
        const inEnglish = new RegExp(`(?<![\\w{])${word}(?!\\w)`, 'i')
        const own = new RegExp(translations[language], 'i')
        const without = Object.entries(english)
          .filter(([key, text]) => inEnglish.test(text) && !own.test(texts[key] ?? ''))
          .map(([key]) => key)
        expect(without, `${language} ${translations[language]}`).toEqual([])
      }
    },
  )

  test.each(TRANSLATIONS)('has the names of outcomes as players of %s say them', (language) => {
    const texts = allTexts(language)
    const named = glossary.outcomes[language]
    for (const [outcome, name] of Object.entries(named)) {
      expect(texts[`shell/outcome.${outcome}`]).toBe(name)
      expect(texts[`catalogs/csv.outcome.${outcome}`]).toBe(name)
    }
    for (const [size, parity] of ['long', 'short'].flatMap(
      (size) =>
        [
          [size, 'odd'],
          [size, 'even'],
        ] as const,
    )) {
      const text = (texts[`shell/outcome.${size}-${parity}`] ?? '').toLowerCase()
      const [first = '', second = ''] = [size, parity].map(
        (word) => named[word as keyof typeof named],
      )
      expect(
        text.startsWith(first.toLowerCase()) && text.endsWith(second.toLowerCase()),
        text,
      ).toBe(true)
      expect(texts[`catalogs/csv.outcome.${size}-${parity}`]?.toLowerCase()).toBe(text)
    }
  })

  test.each(LANGUAGES)('names words that no text of %s has', (language) => {
    const whole = (word: string) =>
      /^\p{Script=Latin}/u.test(word) ? `(?<!\\p{L})${word}(?!\\p{L})` : word
    const never = new RegExp(glossary.never[language].map(whole).join('|'), 'iu')
    const faults = Object.entries(allTexts(language)).filter(([, text]) => never.test(text))
    expect(faults).toEqual([])
  })
})

test.each(['zh', 'zh-TW', 'ja'] as const)('%s has no half-width punctuation', (language) => {
  const faults = KEYS.filter((key) => hasHalfWidthPunctuation(translate(language, key, VALUES)))
  expect(faults).toEqual([])
})

test('half-width punctuation in a sentence is distinguished from that in numbers, dates and addresses', () => {
  for (const bad of [
    '请先登录.',
    '编号:1',
    '第 3 期,投注',
    '验证码（6 位）!',
    'u 是 USDT.',
    '(本人)',
  ]) {
    expect(hasHalfWidthPunctuation(bad), bad).toBe(true)
  }
  for (const good of ['共 1,000.50 u。', '格式如 2026-11-20', '时间：10:00，版本 21.04.02']) {
    expect(hasHalfWidthPunctuation(good), good).toBe(false)
  }
})

test('only the refusal of a missing token has the Chinese words that clients look for', () => {
  expect(zh['refusal.token_missing']).toBe('请先登录')
  expect(zhTw['refusal.token_missing']).toBe('請先登入')
  expect(entriesWhere(zh, (text) => text.includes('请先登录'))).toEqual(['refusal.token_missing'])
})

test('a count selects its plural form', () => {
  const wait = (language: Language, seconds: number) =>
    translate(language, 'refusal.too_many_requests', { seconds })
  expect(wait('en', 1)).toMatch(/1 second$/)
  expect(wait('en', 2)).toMatch(/2 seconds$/)
  expect(wait('zh', 1)).toContain('1 秒')
  expect(wait('id', 1)).toMatch(/1 detik$/)
})

test('a key either has a text or not', () => {
  expect(hasMessage('mark.stake')).toBe(true)
  expect(hasMessage('refusal.no_such_reason')).toBe(false)
})

describe('the language that a request asks for', () => {
  test.each(LANGUAGES)('%s is accepted unchanged', (language) => {
    expect(languageOf(language)).toBe(language)
  })

  test.each([
    ['tw', 'zh-TW'],
    ['TW', 'zh-TW'],
    ['zh-tw', 'zh-TW'],
    ['zh_TW', 'zh-TW'],
    [' ja ', 'ja'],
    ['VI', 'vi'],
  ])('%j is %s', (requested, language) => {
    expect(languageOf(requested)).toBe(language)
  })

  test.each([[undefined], [null], [''], ['fr'], ['klingon'], [1], [['zh']], [{ lang: 'zh' }]])(
    '%j is unknown, hence English',
    (requested) => {
      expect(languageOf(requested)).toBe('en')
    },
  )
})

describe('the language for a browser that prefers', () => {
  test.each([
    [['ja-JP', 'en-US'], 'ja'],
    [['fr-FR', 'ko-KR', 'en'], 'ko'],
    [['zh'], 'zh'],
    [['zh-CN', 'en'], 'zh'],
    [['zh-Hans-SG'], 'zh'],
    [['zh-TW', 'zh'], 'zh-TW'],
    [['zh-HK'], 'zh-TW'],
    [['zh-Hant-MY'], 'zh-TW'],
    [['in-ID'], 'id'],
    [['id-ID'], 'id'],
    [['VI-vn'], 'vi'],
    [['en-GB', 'ja'], 'en'],
    [['de', 'fr'], 'en'],
    [[], 'en'],
    [[''], 'en'],
  ] as const)('%j is %s', (preferred, language) => {
    expect(languageForBrowser(preferred)).toBe(language)
  })
})

/** The texts of server and app in a language, by the file and the key. */
function allTexts(language: Language): Record<string, string> {
  const root = join(import.meta.dirname, '../../..')
  const files = [
    `apps/web/src/locales/${language}/screens.json`,
    `apps/web/src/locales/${language}/shell.json`,
  ]
  const texts = Object.entries(CATALOGS[language]).map(([key, text]) => [`catalogs/${key}`, text])
  for (const file of files) {
    const catalog: Record<string, string> = JSON.parse(readFileSync(join(root, file), 'utf8'))
    for (const [key, text] of Object.entries(catalog))
      texts.push([`${basename(file, '.json')}/${key}`, text])
  }
  return Object.fromEntries(texts)
}

function textOf(language: Language, key: MessageKey): string {
  const text = CATALOGS[language][key]
  if (text === undefined) throw new Error(`${language} has no ${key}`)
  return text
}

function entriesWhere(catalog: Record<string, string>, is: (text: string) => boolean): string[] {
  return Object.keys(catalog).filter((key) => is(catalog[key] ?? ''))
}

type Compiled = ReturnType<typeof compileMessageOrThrow>

/** The names of a message's placeholders, each once, sorted, including those inside plural forms. */
function placeholdersOf(compiled: Compiled): string[] {
  const names = new Set<string>()
  for (const token of compiled) {
    if (typeof token === 'string') continue
    names.add(token[0])
    for (const form of formsOf(token)) for (const name of placeholdersOf(form[1])) names.add(name)
  }
  return [...names].sort()
}

/** The form names of each plural in a message. */
function pluralsOf(compiled: Compiled): string[][] {
  return compiled
    .filter((token) => typeof token !== 'string' && token[1] === 'plural')
    .map((token) => formsOf(token).map(([name]) => name))
}

function formsOf(token: Compiled[number]): [name: string, message: Compiled][] {
  const forms = typeof token === 'string' ? undefined : token[2]
  if (!forms || typeof forms === 'string') return []
  return Object.entries(forms).filter(
    (form): form is [string, Compiled] => form[0] !== 'offset' && Array.isArray(form[1]),
  )
}

/** Whether a text has Western punctuation where full-width punctuation belongs. */
function hasHalfWidthPunctuation(text: string): boolean {
  const cjk = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー、。」』】）'
  // Between two Latin letters or digits it is part of a number, a date or an address.
  return new RegExp(`[${cjk}]\\s*[,.;:!?()]|[,.;:!?()](?:\\s|$|[${cjk}])`, 'u').test(text)
}
