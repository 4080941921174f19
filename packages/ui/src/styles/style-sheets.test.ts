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

const shared = rulesOf(readFileSync(join(ROOT, 'apps/web/src/styles/base.css'), 'utf8'))

/** The files of the apps and their components whose names end so. */
function filesOf(end: RegExp): string[] {
  return ['apps/console/src', 'apps/web/src', 'packages/ui/src'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => end.test(file))
      .map((file) => join(folder, file)),
  )
}

it.each(filesOf(/\.module\.css$/))(
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

/** What has a scale of its own among the tokens, in a style sheet and in a style that is written as an object. */
const ON_A_SCALE = {
  css: /(?:^|[\s;{])(font-size|font-weight|z-index|border-(?:[\w-]+-)?radius|(?:transition|animation)(?:-[\w-]+)?): *([^;{}]+)[;}]/g,
  object: /\b(fontSize|fontWeight|zIndex|borderRadius): *('[^'\n]*'|[\d.]+)/g,
}

/** A size in pixels or root ems, a time, or a bare number of a layer or weight; `vw` and `em` follow a screen or a text. */
const LITERAL = /(?<![\w.-])-?(?:\d*\.)?\d+(?:px|rem|m?s|%)|^'?-?\d+'?$/

/** No time at all, and the one of a reader who wants no motion. */
const NO_TIME = /^(?:0s|1ms|1)(?: !important)?$/

function literalsIn(text: string, declarations: RegExp): string[] {
  return [...text.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(declarations)].flatMap(
    ([, property = '', value = '']) =>
      LITERAL.test(value) && !NO_TIME.test(value) ? [`${property}: ${value}`] : [],
  )
}

it.each([
  ['font-size: 0.8125rem;', 'css'],
  ['.a { border-start-end-radius: 3px; }', 'css'],
  ['  transition:\n    color var(--motion-quick),\n    opacity .2s;', 'css'],
  ['animation: spin 900ms linear;', 'css'],
  ['z-index: 7;', 'css'],
  ['font-weight: 400;', 'css'],
  ["sx={{ fontWeight: 650, fontSize: '1rem' }}", 'object'],
] as const)('%s is found as a literal value', (text, form) => {
  expect(literalsIn(text, ON_A_SCALE[form])).not.toEqual([])
})

it('takes sizes, weights, radii, layers and times from the tokens', () => {
  const literals = [
    [filesOf(/(?<!\/tokens)\.css$/), ON_A_SCALE.css],
    [filesOf(/(?<!\.test)\.tsx?$/), ON_A_SCALE.object],
  ] as const
  const found = literals.flatMap(([files, declarations]) =>
    files.flatMap((file) =>
      literalsIn(readFileSync(join(ROOT, file), 'utf8'), declarations).map(
        (literal) => `${file}: ${literal}`,
      ),
    ),
  )
  expect(found).toEqual([])
})

it('names no class by a word that a module cannot export', () => {
  const named = filesOf(/\.module\.css$/).flatMap((file) =>
    rulesOf(readFileSync(join(ROOT, file), 'utf8')).flatMap(({ selectors }) =>
      selectors.flatMap((selector) => selector.match(/(?<=\.)[\w-]+/g) ?? []),
    ),
  )
  expect(named.filter((name) => !isExportable(name))).toEqual([])
})

function isExportable(name: string): boolean {
  try {
    new Function(`"use strict"; const ${name} = 0`)
    return true
  } catch {
    return false
  }
}
