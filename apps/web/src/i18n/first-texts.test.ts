/**
 * Goal: the first screen uses no text that is loaded later. Method: follow the imports of the home
 * screen and of the shell, also the lazy ones that do not wait for all texts, and look for texts of the other catalog.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const SOURCE = join(import.meta.dirname, '..')

const WAITS_FOR_TEXTS = /withAllTexts\(\(await import\('[^']+'\)\)/g

it('the first screen and the shell use only texts of the main bundle', () => {
  const files = filesFrom(['main.tsx', 'screens/home/home-screen.tsx'])
  expect(files.length).toBeGreaterThan(40)
  expect(files).toContain('screens/home/home-later.tsx')

  const later = laterKeys()
  const used = files.flatMap((file) => {
    const source = readFileSync(join(SOURCE, file), 'utf8')
    return later
      .filter(
        (key) => source.includes(`'${key}'`) || beginnings(source).some((b) => key.startsWith(b)),
      )
      .map((key) => `${file}: ${key}`)
  })
  expect(used).toEqual([])
})

/** Files that are reached from some, by imports of any kind. */
function filesFrom(starts: string[]): string[] {
  const reached = new Set<string>()
  const waiting = [...starts]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file) || !existsSync(join(SOURCE, file))) continue
    reached.add(file)
    const source = readFileSync(join(SOURCE, file), 'utf8').replace(WAITS_FOR_TEXTS, '')
    for (const [, next] of source.matchAll(/(?:from|import)\s*\(?\s*'#src\/([^']+\.tsx?)'/g)) {
      if (next) waiting.push(next)
    }
  }
  return [...reached]
}

function laterKeys(): string[] {
  return Object.keys(JSON.parse(readFileSync(join(SOURCE, 'locales/en/screens.json'), 'utf8')))
}

/** What templates such as `outcome.${word}` begin with. */
function beginnings(source: string): string[] {
  return [...source.matchAll(/`([\w-]+\.(?:[\w-]+\.)*)[\w-]*\$\{/g)].map((match) => match[1] ?? '')
}
