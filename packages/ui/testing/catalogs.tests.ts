/**
 * Goal: in every language, no text is missing or unused, and each has the values that it needs.
 * Method: read the catalogs and the sources as files; each language is compared with English. A key
 * counts as used if the sources contain it as a whole, or build it in a template that begins with a
 * part of it, such as `outcome.${word}`.
 */
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CompiledMessage, compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '#src/languages.ts'

type Catalogs = {
  /** The folder with one folder for each language. */
  folder: string
  /** The catalogs of a language, without `.json`, in the order of their names. */
  areas: readonly string[]
  /** Folders whose sources show these texts; the first one's keys must all be here or in `besides`. */
  sources: readonly [string, ...string[]]
  /**
   * Messages that equal the English one, as `<language> <key>`, or `* <key>` for those that are the same in several
   * languages, each with the reason.
   */
  sameAsEnglish: Readonly<Record<string, string>>
  /** English catalogs of others that the first folder's sources may use as well. */
  besides?: readonly string[]
}

/** Declares the tests of one set of catalogs. */
export function testCatalogs(catalogs: Catalogs): void {
  const { folder, areas, sources, sameAsEnglish, besides = [] } = catalogs
  const languages = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)

  describe('the English catalogs', () => {
    const english = Object.assign({}, ...areas.map((area) => catalog('en', area)))
    const keys = Object.keys(english)

    it('have each key once', () => {
      const all = areas.flatMap((area) => Object.keys(catalog('en', area)))
      expect(all.filter((key, at) => all.indexOf(key) !== at)).toEqual([])
    })

    it('have no key that the sources do not use', () => {
      const shown = sourceText(sources)
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
      const used = [...sourceText([sources[0]]).matchAll(/\b(?:t|text)\(\s*'([^']+)'/g)].map(
        (match) => match[1],
      )
      const others = besides.flatMap((file) => Object.keys(JSON.parse(readFileSync(file, 'utf8'))))
      const allKeys = new Set([...keys, ...others])
      expect(used.filter((key) => key && !allKeys.has(key))).toEqual([])
    })
  })

  describe.each(languages)('the catalogs in %s', (language) => {
    it('belong to a language of the app', () => {
      expect(LANGUAGES.map(({ locale }) => locale as string)).toContain(language)
    })

    it('are the same files as in English', () => {
      const files = readdirSync(join(folder, language)).sort()
      expect(files).toEqual(areas.map((area) => `${area}.json`))
    })

    it.each(areas)('have exactly the keys of %s', (area) => {
      expect(Object.keys(catalog(language, area)).sort()).toEqual(
        Object.keys(catalog('en', area)).sort(),
      )
    })

    it.each(areas)(
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
        areas.flatMap((area) => {
          const english = catalog('en', area)
          return Object.entries(catalog(language, area))
            .filter(([key, message]) => message === english[key])
            .map(([key]) => ({ own: `${language} ${key}`, common: `* ${key}` }))
        }),
      )
      .filter(({ own, common }) => {
        const exception = [own, common].find((each) => each in sameAsEnglish)
        if (exception) used.add(exception)
        return !exception
      })
    expect(untranslated.map(({ own }) => own)).toEqual([])
    expect(Object.keys(sameAsEnglish).filter((each) => !used.has(each))).toEqual([])
  })

  function catalog(language: string, area: string): Record<string, string> {
    return JSON.parse(readFileSync(join(folder, language, `${area}.json`), 'utf8'))
  }
}

function sourceText(folders: readonly string[]): string {
  return folders
    .flatMap((folder) =>
      globSync('**/*.{ts,tsx}', { cwd: folder })
        .filter((file) => !file.includes('.test.'))
        .map((file) => readFileSync(join(folder, file), 'utf8')),
    )
    .join('\n')
}

/** The parts that a translation must keep: its values, and the tags that become elements. */
function ingredients(message: string): { values: string[]; tags: string[] } {
  const values = new Set<string>()
  collectValues(compileMessageOrThrow(message), values)
  const tags = [...message.matchAll(/<(\/?\w+)\/?>/g)].map((match) => match[1] ?? '')
  return { values: [...values].sort(), tags: tags.sort() }
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
