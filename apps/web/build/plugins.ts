import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { isCall } from '@sum28/contract/route.ts'
import { compileMessage } from '@sum28/i18n/compile-message.ts'
import type { Plugin, Rolldown } from 'vite'
import { ROUTES, type RouteName, screenFileOf } from '../src/navigation/routes.ts'

const ROUTE_FILE = /\/packages\/contract\/src\/[\w-]+-routes\.ts$/

/** One route of such a file is a module of its own, so that a screen loads its own routes and no others. */
const ONE_ROUTE = '?route='

/** What a client reads of a route. */
const READ = ['method', 'path', 'rate', 'file', 'mediaType']

/**
 * Leaves of the routes in the app's build only what a client reads: the server alone validates by the schemas, and
 * TypeScript has read their types already. An export that is not a route is removed, so that using one stops the build.
 */
export function contractRoutes(): Plugin {
  return {
    name: 'contract-routes',
    enforce: 'pre',
    async load(id) {
      const [file = id, wanted] = id.split(ONE_ROUTE)
      if (!ROUTE_FILE.test(file)) return null
      // Loaded again each time, so that a change has an effect during development.
      const module: Record<string, unknown> = await import(
        `${pathToFileURL(file).href}?at=${Date.now()}`
      )
      const code = wanted
        ? `export const ${wanted} = ${JSON.stringify(module[wanted], READ)}`
        : Object.keys(module)
            .filter((name) => isCall(module[name]))
            .map((name) => `export { ${name} } from '${file}${ONE_ROUTE}${name}'`)
            .join('\n')
      return { code, moduleSideEffects: false }
    },
  }
}

const CATALOG = /\/src\/locales\/[\w-]+\/[^/]+\.json$/

/**
 * Turns the message catalogs (`src/locales/<language>/{shell,screens}.json`, flat keys to ICU messages) into
 * the messages of `src/i18n/text.ts` while building, so that no message parser is shipped. A message
 * that is not valid ICU, or has more in it than values and plurals, stops the build and names its file and key.
 */
export function linguiCatalogs(): Plugin {
  return {
    name: 'lingui-catalogs',
    enforce: 'pre',
    async load(id) {
      const file = id.split('?')[0] ?? id
      if (!CATALOG.test(file)) return null
      const messages = JSON.parse(await readFile(file, 'utf8')) as Record<string, string>
      return JSON.stringify(compileCatalog(messages, file))
    },
  }
}

function compileCatalog(messages: Record<string, string>, file: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(messages).map(([key, message]) => {
      try {
        return [key, compileMessage(message)]
      } catch (cause) {
        throw new Error(`${file}: the message '${key}' is not valid ICU`, { cause })
      }
    }),
  )
}

type Bundle = Rolldown.OutputBundle
type Chunk = Rolldown.OutputChunk

/** What every screen but home needs: where its code is, and the texts of a first visit, which is in English. */
const OF_ALL = ['/src/navigation/screen-files.ts', '/locales/en/screens.json']

/**
 * Writes dist/preloads.json: for each screen's path the `Link` header by which a browser loads the
 * screen's files beside those of the page, and not after them; nor before them, for without those nothing is shown.
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

/** The header for the page's own files, and then for some modules with all that they import. */
function headerOf(bundle: Bundle, modules: string[]): string {
  if (modules.length === 0) return ''
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const page = withImports(
    bundle,
    chunks.filter(({ isEntry }) => isEntry),
  )
  const needed = chunks.filter(({ moduleIds }) =>
    modules.some((module) => moduleIds.some((id) => id.endsWith(module))),
  )
  const added = [...withImports(bundle, needed)].filter((chunk) => !page.has(chunk))
  return [page, added].flatMap((files) => linksTo([...files])).join(', ')
}

function linksTo(chunks: Chunk[]): string[] {
  const styles = new Set(chunks.flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])]))
  // Vite leaves out the file of the page itself, which only imports.
  const scripts = chunks.filter(({ facadeModuleId }) => !facadeModuleId?.endsWith('.html'))
  return [
    ...[...styles].map((name) => `</${name}>; rel=preload; as=style; crossorigin`),
    ...scripts.map(({ fileName }) => `</${fileName}>; rel=modulepreload`),
  ]
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
