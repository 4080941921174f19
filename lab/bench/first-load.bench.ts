/**
 * How many bytes of script a phone loads: for the home screen, beside React alone, and for each other
 * screen on top of that. From the built app, as the server sends it.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { reactAlone } from './react-alone.ts'
import { printTable, report } from './report.ts'

const WEB = fileURLToPath(new URL('../../apps/web/', import.meta.url))
const KB = 1_000

const ASSETS = join(WEB, 'dist/assets')

type Bytes = { brotli: number; gzip: number }

function bytesOf(script: string): Bytes {
  return {
    brotli: brotliCompressSync(script).length,
    gzip: gzipSync(script, { level: constants.Z_BEST_COMPRESSION }).length,
  }
}

const read = (name: string) => readFileSync(join(ASSETS, name), 'utf8')

/** A built script and all that it imports, each once. */
function withImports(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  for (const [, imported] of read(name).matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) {
    if (imported) withImports(imported, found)
  }
  return found
}

function sizeOf(names: Iterable<string>): Bytes {
  const all = [...names].map((name) => bytesOf(read(name)))
  const sum = (of: keyof Bytes) => all.reduce((total, bytes) => total + bytes[of], 0)
  return { brotli: sum('brotli'), gzip: sum('gzip') }
}

const row = (name: string, { brotli, gzip }: Bytes, alone: Bytes) => ({
  name,
  'brotli, kB': brotli / KB,
  'gzip, kB': gzip / KB,
  '× React': brotli / alone.brotli,
})

const alone = bytesOf(await reactAlone())
const page = readFileSync(join(WEB, 'dist/index.html'), 'utf8')
const first = new Set<string>()
for (const [, name] of page.matchAll(/<script[^>]* src="\/assets\/([^"]+)"/g)) {
  if (name) withImports(name, first)
}
if (first.size === 0) throw new Error('dist/index.html names no script: build the app first')
const later = readdirSync(ASSETS)
  .filter((name) => /-(screen|chart)-[\w-]+\.js$/.test(name))
  .map((name) => ({
    name: name.replace(/-[\w-]{8}\.js$/, ''),
    bytes: sizeOf([...withImports(name)].filter((each) => !first.has(each))),
  }))
  .sort((one, other) => other.bytes.gzip - one.bytes.gzip)

const rows = [
  row('React alone', alone, alone),
  row('home', sizeOf(first), alone),
  ...later.map(({ name, bytes }) => row(`${name}, besides`, bytes, alone)),
]
printTable('Script of each screen', rows)
const [heaviest] = later.filter(({ name }) => name.endsWith('-screen'))
const [chart] = later.filter(({ name }) => name.endsWith('-chart'))
const kB = (bytes?: number) => ({ value: (bytes ?? Number.NaN) / KB, unit: 'kB' })
const gzip = `the heaviest other, ${heaviest?.name}, by gzip`
const figures = [
  { name: 'home, by brotli as sent', ...kB(sizeOf(first).brotli), atMost: 90 },
  { name: gzip, ...kB(heaviest?.bytes.gzip), atMost: 49 },
  { name: 'the chart, by gzip', ...kB(chart?.bytes.gzip), atMost: 75 },
]
report('first-load', figures, { rows })
