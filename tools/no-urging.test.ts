/**
 * Goal: no text of the product urges a player on. Method: all catalogs of the app, its parts, the
 * server with its mails, and the first content are read as files, each language by its own list.
 */
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { URGING_EXAMPLES, URGING_WORDS } from './urging-words.ts'

const ROOT = join(import.meta.dirname, '..')
const LANGUAGES = Object.keys(URGING_WORDS)

type Text = { from: string; text: string }

/** The texts of a language in all catalogs, each with its file and key. */
function catalogTexts(language: string): Text[] {
  const files = globSync(
    ['{apps,packages}/*/src/**/locales/*/*.json', 'packages/i18n/src/catalogs/*.json'],
    {
      cwd: ROOT,
    },
  )
  return files
    .filter((file) => [basename(file, '.json'), basename(dirname(file))].includes(language))
    .flatMap((file) => {
      const texts = JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as Record<string, string>
      return Object.entries(texts).map(([key, text]) => ({ from: `${file} ${key}`, text }))
    })
}

/** The rows of the first content in a language: titles, articles, announcements, mails. */
function contentTexts(language: string): Text[] {
  const row = new RegExp(`\\((?:\\d+, )?'${language}',\\s*((?:'(?:[^']|'')*',?\\s*)+)\\)`, 'g')
  return globSync('apps/server/sql/migrations/*.sql', { cwd: ROOT }).flatMap((file) => {
    const sql = readFileSync(join(ROOT, file), 'utf8')
    return [...sql.matchAll(row)].map(([, text = '']) => ({ from: file, text }))
  })
}

function urgingIn(language: string, texts: readonly Text[]): string[] {
  return texts.flatMap(({ from, text }) => {
    const found = URGING_WORDS[language]?.exec(text)
    return found ? [`${from}: ‘${found[0]}’`] : []
  })
}

describe.each(LANGUAGES)('the texts in %s', (language) => {
  it('are all read: of the app, of the server, and of the first content', () => {
    const files = catalogTexts(language).map(({ from }) => from)
    for (const key of ['saferPlay.lead', 'mail.register.text', 'outcome.long', 'panel.allIn']) {
      expect(
        files.some((file) => file.endsWith(` ${key}`)),
        key,
      ).toBe(true)
    }
    expect(contentTexts(language).length).toBeGreaterThan(10)
  })

  it('urge no player on', () => {
    expect(urgingIn(language, catalogTexts(language))).toEqual([])
    expect(urgingIn(language, contentTexts(language))).toEqual([])
  })

  it.each(URGING_EXAMPLES[language] ?? [])('would be found to urge by ‘%s’', (text) => {
    expect(urgingIn(language, [{ from: 'an example', text }])).toHaveLength(1)
  })
})
