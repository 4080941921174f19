import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

const ROUTES = /\/packages\/contract\/src\/[\w-]+-routes\.ts$/

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
      const file = id.split('?')[0] ?? id
      if (!ROUTES.test(file)) return null
      // Loaded again each time, so that a change has an effect during development.
      const module: Record<string, unknown> = await import(
        `${pathToFileURL(file).href}?at=${Date.now()}`
      )
      return Object.entries(module)
        .filter(([, value]) => isRoute(value))
        .map(([name, route]) => `export const ${name} = ${JSON.stringify(route, READ)}`)
        .join('\n')
    },
  }
}

function isRoute(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'path' in value && 'request' in value
}
