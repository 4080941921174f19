import type { Plugin, Rolldown } from 'vite'
import { ROUTES, type RouteName, screenFileOf } from '../src/navigation/routes.ts'

type Bundle = Rolldown.OutputBundle
type Chunk = Rolldown.OutputChunk

/** What every screen but home needs: where its code is, and the texts of a first visit, which is in English. */
const OF_ALL = ['/src/navigation/screen-files.ts', '/locales/en/screens.json']

/**
 * Writes dist/preloads.json: for each screen's path the `Link` header by which a browser loads the
 * screen's files beside those of the page, and not after them.
 */
export function screenPreloads(): Plugin {
  return {
    name: 'screen-preloads',
    apply: 'build',
    generateBundle(_, bundle) {
      const headers = Object.entries(ROUTES).map(([name, { path }]) => {
        // The home screen and its texts are in the page's own files.
        const modules = name === 'home' ? [] : [screenFileOf(name as RouteName).slice(2), ...OF_ALL]
        return [path.toLowerCase(), headerOf(bundle, modules)]
      })
      const source = JSON.stringify(Object.fromEntries(headers))
      this.emitFile({ type: 'asset', fileName: 'preloads.json', source })
    },
  }
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
