/**
 * Goal: each link of these pages to a test leads to a file that has the linked title. A link is written
 * `[title](/path/of/the/file.test.ts)`, its path from the root of the repository, so that a moved file is one replacement.
 * Method: titles are looked for in the text of the file, a parametrised one by its template.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const LINKS = /\[((?:[^[\]]|\[[^\]]*\])+)\]\(\/([^)]+\.(?:test|spec|tests)\.tsx?)\)/g

it.each(['docs/product.md', 'docs/standards.md', 'docs/threats.md'])(
  '%s links to tests that there are',
  (page) => {
    const links = [...readFileSync(join(ROOT, page), 'utf8').matchAll(LINKS)]
    expect(links.length).toBeGreaterThan(50)
    const broken = links.filter(([, title = '', file = '']) => !has(join(ROOT, file), title))
    expect(broken.map(([link]) => link)).toEqual([])
  },
)

function has(file: string, title: string): boolean {
  return existsSync(file) && readFileSync(file, 'utf8').includes(title)
}
