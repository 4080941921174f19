/** Which test found each fault of earlier runs. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { keyOf, type Named } from './explained-mutants.ts'

/** A test by its file and its full name; the name is null if the file itself failed. */
export type Find = { file: string; test: string | null }

export function nameOf({ file, test }: Find): string {
  return `${file} ${test}`
}

export class EarlierFinds {
  readonly #path: string
  readonly #finds: Map<string, Find>

  constructor(path: string) {
    this.#path = path
    const finds = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
    this.#finds = new Map(Object.entries(finds))
  }

  of(mutant: Named): Find | null {
    return this.#finds.get(keyOf(mutant)) ?? null
  }

  /** The files of tests that found other faults of its function, those that found the most first. */
  filesOf({ functionName }: Named): string[] {
    const ofFunction = [...this.#finds].filter(([key]) => key.startsWith(`${functionName} |`))
    const byFile = Map.groupBy(ofFunction, ([, { file }]) => file)
    return [...byFile].sort(([, a], [, b]) => b.length - a.length).map(([file]) => file)
  }

  note(mutant: Named, find: Find): void {
    this.#finds.set(keyOf(mutant), find)
    mkdirSync(dirname(this.#path), { recursive: true })
    writeFileSync(this.#path, JSON.stringify(Object.fromEntries(this.#finds), null, 1))
  }
}
