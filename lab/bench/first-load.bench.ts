/**
 * How many bytes of script a phone loads: for the home screen, beside React alone, and for each other
 * screen on top of that. From the built app, as the server sends it.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { reactAlone } from './react-alone.ts'
import { printTable, saveFigures, type Target } from './report.ts'

const WEB = fileURLToPath(new URL('../../apps/web/', import.meta.url))
const KB = 1_000

type Bytes = { brotli: number; gzip: number }

function add(one: Bytes, other: Bytes): Bytes {
  return { brotli: one.brotli + other.brotli, gzip: one.gzip + other.gzip }
}

function bytesOf(script: Buffer | string): Bytes {
  return {
    brotli: brotliCompressSync(script).length,
    gzip: gzipSync(script, { level: constants.Z_BEST_COMPRESSION }).length,
  }
}

/** The scripts of a built folder: what each is and which others it needs before it runs. */
class Scripts {
  readonly #folder: string
  readonly names: readonly string[]

  constructor(folder: string) {
    this.#folder = folder
    this.names = readdirSync(folder).filter((name) => name.endsWith('.js'))
  }

  #read(name: string): string {
    return readFileSync(join(this.#folder, name), 'utf8')
  }

  /** A script and all that it imports, each once. */
  withImports(name: string, found = new Set<string>()): Set<string> {
    if (found.has(name)) return found
    found.add(name)
    for (const [, imported] of this.#read(name).matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) {
      if (imported) this.withImports(imported, found)
    }
    return found
  }

  size(names: Iterable<string>): Bytes {
    const none: Bytes = { brotli: 0, gzip: 0 }
    return [...names].reduce((sum, name) => add(sum, bytesOf(this.#read(name))), none)
  }
}

const row = (name: string, { brotli, gzip }: Bytes, alone: Bytes) => ({
  name,
  'brotli, kB': brotli / KB,
  'gzip, kB': gzip / KB,
  '× React': brotli / alone.brotli,
})

const alone = bytesOf(await reactAlone())
const page = readFileSync(join(WEB, 'dist/index.html'), 'utf8')
const scripts = new Scripts(join(WEB, 'dist/assets'))
const first = new Set<string>()
for (const [, name] of page.matchAll(/<script[^>]* src="\/assets\/([^"]+)"/g)) {
  if (name) scripts.withImports(name, first)
}
if (first.size === 0) throw new Error('dist/index.html names no script: build the app first')
const later = scripts.names
  .filter((name) => /-(screen|chart)-[\w-]+\.js$/.test(name))
  .map((name) => ({
    name: name.replace(/-[\w-]{8}\.js$/, ''),
    bytes: scripts.size([...scripts.withImports(name)].filter((each) => !first.has(each))),
  }))
  .sort((one, other) => other.bytes.gzip - one.bytes.gzip)

const rows = [
  row('React alone', alone, alone),
  row('home', scripts.size(first), alone),
  ...later.map(({ name, bytes }) => row(`${name}, besides`, bytes, alone)),
]
printTable('Script of each screen', rows)
const [heaviest] = later.filter(({ name }) => name.endsWith('-screen'))
const [chart] = later.filter(({ name }) => name.endsWith('-chart'))
const home = scripts.size(first)
const gzipOf = (bytes?: Bytes) => bytes?.gzip ?? Number.NaN
const aims: [string, number, number][] = [
  ['home, by brotli as sent', home.brotli, 90],
  [`the heaviest other, ${heaviest?.name}, by gzip`, gzipOf(heaviest?.bytes), 48],
  ['the chart, by gzip', gzipOf(chart?.bytes), 75],
]
const targets = aims.map(([figure, bytes, atMost]): Target => {
  return { figure, value: bytes / KB, unit: 'kB', atMost }
})
saveFigures('first-load', { rows, targets })
