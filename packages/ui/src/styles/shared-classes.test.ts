import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../../../..')

type Rule = { selectors: string[]; properties: string[] }

/** The rules of a style sheet, also those inside of media queries. */
function rulesOf(css: string): Rule[] {
  const bare = css.replace(/\/\*[\s\S]*?\*\//g, '')
  return [...bare.matchAll(/([^{}]+)\{([^{}]*)\}/g)].map(([, selectors = '', body = '']) => ({
    selectors: selectors.split(',').map((selector) => selector.trim()),
    properties: body.split(';').flatMap((line) => line.match(/[\w-]+(?=:)/)?.[0] ?? []),
  }))
}

/** What a class sets by itself, without a state or a parent. */
function propertiesOf(rules: readonly Rule[], name: string): string[] {
  return rules
    .filter(({ selectors }) => selectors.includes(`.${name}`))
    .flatMap(({ properties }) => properties)
}

const shared = rulesOf(readFileSync(join(import.meta.dirname, 'base.css'), 'utf8'))
const sheets = ['apps/web/src', 'packages/ui/src'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.module.css'))
    .map((file) => join(folder, file)),
)

it.each(sheets)(
  '%s uses existing shared classes, and does not set their properties again',
  (file) => {
    const css = readFileSync(join(ROOT, file), 'utf8')
    const rules = rulesOf(css)
    for (const [, own = '', names = ''] of css.matchAll(
      /\.([\w-]+) \{\s*composes: ([\w -]+) from global/g,
    )) {
      for (const name of names.split(' ')) {
        expect(
          shared.flatMap(({ selectors }) => selectors).some((one) => one.startsWith(`.${name}`)),
          name,
        ).toBe(true)
        const taken = propertiesOf(shared, name)
        const again = propertiesOf(rules, own).filter((property) => taken.includes(property))
        expect(again, `.${own} and .${name}`).toEqual([])
      }
    }
  },
)
