/** The server's test files in the order in which they are likely to notice a fault in an SQL function. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What takes its time to start: such a test comes after all others. */
const STARTS_THE_PRODUCT = /\b(?:(?:share|create)TestApp|useWorkersApp)\b/

/**
 * Finds the tests of a function: those of its own module, and those beside a text that calls it, directly or through
 * other functions; short ones first.
 *
 * @param functions each function and the statement that makes it
 */
export function nearestTests(root: string, functions: ReadonlyMap<string, string>) {
  const sources = globSync('apps/server/{src,testing}/**/*.ts', { cwd: root }).map((file) => ({
    file,
    text: readFileSync(join(root, file), 'utf8'),
  }))
  /** A function, and all that call it. */
  function withCallers(name: string, found = new Set<string>()): Set<string> {
    if (found.has(name)) return found
    found.add(name)
    const called = new RegExp(`\\b${name}\\b`)
    for (const [caller, statement] of functions) {
      if (called.test(statement)) withCallers(caller, found)
    }
    return found
  }
  return (functionName: string): string[] => {
    const called = new RegExp(`\\b(?:${[...withCallers(functionName)].join('|')})\\b`)
    const calling = new Set(
      sources.filter(({ text }) => called.test(text)).map(({ file }) => dirname(file)),
    )
    const schema = functionName.split('.')[0]?.replace(/^console_.*/, 'console')
    const ownModule = `/modules/${schema?.replaceAll('_', '-')}/`
    const tests = sources.flatMap(({ file, text }) => {
      const isOwn = file.includes(ownModule)
      if (!file.endsWith('.test.ts') || !(isOwn || calling.has(dirname(file)))) return []
      const order = (STARTS_THE_PRODUCT.test(text) ? 2 : 0) + (isOwn ? 0 : 1)
      return [{ file, order, length: text.length }]
    })
    return tests.sort((a, b) => a.order - b.order || a.length - b.length).map(({ file }) => file)
  }
}
