/**
 * Goal: no text is missing, unused or cut loose from its values, in any language that is there.
 * Method: read the catalogs and the sources as files; whatever language folder exists is held to
 * the English one. A key counts as used where the sources spell it as a whole, or where they build
 * it in a template that begins with a part of it, such as `outcome.${word}`.
 */
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CompiledMessage, compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '#src/i18n/languages.ts'

const HERE = import.meta.dirname
const AREAS = ['account', 'charts', 'content', 'fairness', 'money', 'play', 'rules', 'shell']

const languages = readdirSync(HERE, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)

describe('the English catalogs', () => {
  const english = Object.assign({}, ...AREAS.map((area) => catalog('en', area)))
  const keys = Object.keys(english)

  it('give each key once', () => {
    const all = AREAS.flatMap((area) => Object.keys(catalog('en', area)))
    expect(all.filter((key, at) => all.indexOf(key) !== at)).toEqual([])
  })

  it('hold no key that the sources do not use', () => {
    const sources = sourceText()
    const beginnings = [...sources.matchAll(/`([\w-]+(?:\.[\w-]*)*)\$\{/g)]
      .map((match) => match[1] ?? '')
      .filter((beginning) => beginning.includes('.'))
    const unused = keys.filter((key) => {
      const spelt = [`'${key}'`, `"${key}"`].some((quoted) => sources.includes(quoted))
      return !spelt && !beginnings.some((beginning) => key.startsWith(beginning))
    })
    expect(unused).toEqual([])
  })

  it('hold every key that the sources ask for', () => {
    const asked = [...sourceText().matchAll(/\b(?:t|text)\(\s*'([^']+)'/g)].map((match) => match[1])
    expect(asked.filter((key) => key && !keys.includes(key))).toEqual([])
  })
})

describe.each(languages)('the catalogs in %s', (language) => {
  it('belong to a language of the app', () => {
    expect(LANGUAGES.map(({ locale }) => locale as string)).toContain(language)
  })

  it('are the same files as in English', () => {
    const files = readdirSync(join(HERE, language)).sort()
    expect(files).toEqual(AREAS.map((area) => `${area}.json`))
  })

  it.each(AREAS)('say all of %s and nothing else', (area) => {
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

function catalog(language: string, area: string): Record<string, string> {
  return JSON.parse(readFileSync(join(HERE, language, `${area}.json`), 'utf8'))
}

function sourceText(): string {
  const source = join(HERE, '..')
  return globSync('**/*.{ts,tsx}', { cwd: source })
    .filter((file) => !file.includes('.test.'))
    .map((file) => readFileSync(join(source, file), 'utf8'))
    .join('\n')
}

/** What a translation must keep: the values it is given, and the tags that become elements. */
function ingredients(message: string): { values: string[]; tags: string[] } {
  const values = new Set<string>()
  collectValues(compileMessageOrThrow(message), values)
  const tags = [...message.matchAll(/<(\/?\w+)\/?>/g)].map((match) => match[1] ?? '')
  return { values: [...values].sort(), tags: tags.sort() }
}

/** Names of values, those inside of plural and select forms too. */
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
