import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin, Rolldown } from 'vite'
import { ROUTES } from '../src/app/routes.ts'

type Bundle = Rolldown.OutputBundle
type Chunk = Rolldown.OutputChunk

const SCREENS = fileURLToPath(new URL('../src/app/screens.ts', import.meta.url))

/** A line of `screens.ts`: a route's name and the file of its screen. */
const LOADER = /(\w+): async \(\) =>\s*\(await import\('#src\/(screens\/[^']+)'\)/g

/** The texts of a first visit, which is in English. */
const TEXTS = '/locales/en/screens.json'

/**
 * Writes dist/preloads.json: for each screen's path the `Link` header by which a browser loads the
 * screen's files beside those of the page, and not after them.
 */
export function screenPreloads(): Plugin {
  return {
    name: 'screen-preloads',
    apply: 'build',
    generateBundle(_, bundle) {
      const screens = filesOfScreens()
      const headers = Object.entries(ROUTES).map(([name, { path }]) => {
        const file = screens.get(name)
        if (!file) throw new Error(`screens.ts has no screen of the route ${name}`)
        // The home screen and its texts are in the page's own files.
        const modules = name === 'home' ? [] : [`/src/${file}`, TEXTS]
        return [path.toLowerCase(), headerOf(bundle, modules)]
      })
      const source = JSON.stringify(Object.fromEntries(headers))
      this.emitFile({ type: 'asset', fileName: 'preloads.json', source })
    },
  }
}

function filesOfScreens(): Map<string, string> {
  const code = readFileSync(SCREENS, 'utf8')
  return new Map([...code.matchAll(LOADER)].map(([, name = '', file = '']) => [name, file]))
}

/** The header for some modules with all that they import; without what the page loads anyway. */
function headerOf(bundle: Bundle, modules: string[]): string {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const entries = chunks.filter(({ isEntry }) => isEntry)
  const loaded = withImports(bundle, entries)
  const needed = chunks.filter(({ moduleIds }) =>
    modules.some((module) => moduleIds.some((id) => id.endsWith(module))),
  )
  const added = [...withImports(bundle, needed)].filter((chunk) => !loaded.has(chunk))
  const styles = new Set(added.flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])]))
  return [
    ...added.map(({ fileName }) => `</${fileName}>; rel=modulepreload`),
    ...[...styles].map((name) => `</${name}>; rel=preload; as=style; crossorigin`),
  ].join(', ')
}

function withImports(bundle: Bundle, chunks: Chunk[], found = new Set<Chunk>()): Set<Chunk> {
  for (const chunk of chunks) {
    if (found.has(chunk)) continue
    found.add(chunk)
    const imported = chunk.imports.map((name) => bundle[name])
    withImports(
      bundle,
      imported.filter((file) => file?.type === 'chunk'),
      found,
    )
  }
  return found
}
