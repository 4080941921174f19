/**
 * Goal: in every language, no text is missing or unused, and each has the values that it needs.
 * Method: read the catalogs and the sources as files; each language is compared with English. A key
 * counts as used if the sources contain it as a whole, or build it in a template that begins with a
 * part of it, such as `outcome.${word}`.
 */
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CompiledMessage, compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { LANGUAGES } from '@sum28/ui/languages.ts'
import { describe, expect, it } from 'vitest'

const FOLDER = import.meta.dirname

/** The catalogs of a language, without `.json`. */
const AREAS = ['screens', 'shell']

/**
 * Messages that equal the English one, as `<language> <key>`, or `* <key>` for those that are the same in several
 * languages, each with the reason.
 */
const SAME_AS_ENGLISH: Readonly<Record<string, string>> = {
  '* action.ok': 'the same word in many languages',
  '* me.id': 'the same abbreviation in all languages',
  '* profile.id': 'the same abbreviation in all languages',
  '* line.ms': 'the symbol of a unit',
  '* line.s': 'the symbol of a unit',
  '* trend.caption': 'only a name and a day',
  '* register.email': 'a loan word',
  '* demo.badge': 'a loan word',
  '* menu.title': 'a loan word',
  '* feed.robot': 'a loan word',
  '* fairness.artSeed': 'the technical term',
  '* fairness.artBeacon': 'the technical term',
  'id about.build': 'the technical term',
  'id panel.odds': 'players use the English word',
  'id panel.minimum': 'the same word',
  'id roomType.senior': 'the same word',
  'id roomType.master': 'a loan word',
  'id deposit.title': 'a loan word',
  'id menu.deposit': 'a loan word',
  'id statement.deposit': 'a loan word',
  'id statement.bonus': 'the same word',
  'id bank.name': 'the same word',
  'id betHistory.status': 'the same word',
  'id feed.total': 'the same word',
  'id banner.position': 'a loan word',
}

const languages = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)

describe('the English catalogs', () => {
  const english = Object.assign({}, ...AREAS.map((area) => catalog('en', area)))
  const keys = Object.keys(english)

  it('have each key once', () => {
    const all = AREAS.flatMap((area) => Object.keys(catalog('en', area)))
    expect(all.filter((key, at) => all.indexOf(key) !== at)).toEqual([])
  })

  it('have no key that the sources do not use', () => {
    const shown = sourceText()
    const beginnings = [...shown.matchAll(/`([\w-]+(?:\.[\w-]*)*)\$\{/g)]
      .map((match) => match[1] ?? '')
      .filter((beginning) => beginning.includes('.'))
    const unused = keys.filter((key) => {
      const spelt = [`'${key}'`, `"${key}"`].some((quoted) => shown.includes(quoted))
      return !spelt && !beginnings.some((beginning) => key.startsWith(beginning))
    })
    expect(unused).toEqual([])
  })

  it('have every key that the sources use', () => {
    const used = [...sourceText().matchAll(/\b(?:t|text)\(\s*'([^']+)'/g)].map((match) => match[1])
    expect(used.filter((key) => key && !keys.includes(key))).toEqual([])
  })
})

/** The names of buttons that say of which of several they are, by the words that are seen on them. */
const NAMED_BY_SEEN_WORDS = { 'devices.endOne': 'settings.logout' }

describe.each(languages)('the catalogs in %s', (language) => {
  it('have the seen words of a button in its name, by which it is called aloud', () => {
    const texts = catalog(language, 'screens')
    for (const [name, seen] of Object.entries(NAMED_BY_SEEN_WORDS)) {
      expect(texts[name], name).toContain(texts[seen])
    }
  })

  it('belong to a language of the app', () => {
    expect(LANGUAGES.map(({ locale }) => locale as string)).toContain(language)
  })

  it('are the same files as in English', () => {
    const files = readdirSync(join(FOLDER, language)).sort()
    expect(files).toEqual(AREAS.map((area) => `${area}.json`))
  })

  it.each(AREAS)('have exactly the keys of %s', (area) => {
    expect(Object.keys(catalog(language, area)).sort()).toEqual(
      Object.keys(catalog('en', area)).sort(),
    )
  })

  it.each(AREAS)(
    'are messages with the placeholders and tags of the English ones, in %s',
    (area) => {
      const english = catalog('en', area)
      for (const [key, message] of Object.entries(catalog(language, area))) {
        expect(message.trim(), key).not.toBe('')
        expect({ key, ...ingredients(message) }).toEqual({
          key,
          ...ingredients(english[key] ?? ''),
        })
      }
    },
  )
})

it('no text in another language is the English one, except for words that the languages share', () => {
  const used = new Set<string>()
  const untranslated = languages
    .filter((language) => language !== 'en')
    .flatMap((language) =>
      AREAS.flatMap((area) => {
        const english = catalog('en', area)
        return Object.entries(catalog(language, area))
          .filter(([key, message]) => message === english[key])
          .map(([key]) => ({ own: `${language} ${key}`, common: `* ${key}` }))
      }),
    )
    .filter(({ own, common }) => {
      const exception = [own, common].find((each) => each in SAME_AS_ENGLISH)
      if (exception) used.add(exception)
      return !exception
    })
  expect(untranslated.map(({ own }) => own)).toEqual([])
  expect(Object.keys(SAME_AS_ENGLISH).filter((each) => !used.has(each))).toEqual([])
})

function catalog(language: string, area: string): Record<string, string> {
  return JSON.parse(readFileSync(join(FOLDER, language, `${area}.json`), 'utf8'))
}

function sourceText(): string {
  const cwd = join(FOLDER, '..')
  return globSync('**/*.{ts,tsx}', { cwd })
    .filter((file) => !file.includes('.test.'))
    .map((file) => readFileSync(join(cwd, file), 'utf8'))
    .join('\n')
}

/** The parts that a translation must keep: its values, those that are counts, and the tags that become elements. */
function ingredients(message: string) {
  const values = new Set<string>()
  collectValues(compileMessageOrThrow(message), values)
  const tags = [...message.matchAll(/<(\/?\w+)\/?>/g)].map((match) => match[1] ?? '')
  // A count without its form is written without the marks of thousands.
  const counts = [...message.matchAll(/\{(\w+), plural,/g)].map((match) => match[1] ?? '')
  return { values: [...values].sort(), counts: counts.sort(), tags: tags.sort() }
}

/** The names of values, also of those inside plural and select forms. */
function collectValues(message: CompiledMessage, into: Set<string>): void {
  for (const token of message) {
    if (typeof token === 'string') continue
    const [name, , format] = token
    // Inside a plural, `#` is a nameless mention of its value.
    if (name !== '#') into.add(name)
    if (format && typeof format === 'object') {
      for (const form of Object.values(format)) {
        if (Array.isArray(form)) collectValues(form as CompiledMessage, into)
      }
    }
  }
}
