/**
 * What is known of the faults is kept with the code, packed: a fresh clone tries only those whose function or
 * tests have changed since.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'

const KEPT = join(import.meta.dirname, 'known-mutants')
const NAMES = ['reached.json', 'results.jsonl']

/** Unpacks into the cache what it has not. */
export function unpackResults(cache: string, from = KEPT): void {
  mkdirSync(cache, { recursive: true })
  for (const name of NAMES) {
    const [kept, path] = [join(from, `${name}.gz`), join(cache, name)]
    if (existsSync(kept) && !existsSync(path)) writeFileSync(path, gunzipSync(readFileSync(kept)))
  }
}

/** Packs what the cache has. */
export function packResults(cache: string, to = KEPT): void {
  mkdirSync(to, { recursive: true })
  for (const name of NAMES) {
    const packed = gzipSync(readFileSync(join(cache, name)), { level: 9 })
    writeFileSync(join(to, `${name}.gz`), packed)
  }
}
