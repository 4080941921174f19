import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

const ROUTES = /\/packages\/contract\/src\/[\w-]+-routes\.ts$/

/**
 * Leaves the schemas of requests and replies out of the app: the server validates by them, the app
 * needs their types alone, which TypeScript has taken already. What stays of a route is where it is
 * and how it is called. An export that is no route is left out, so that using one stops the build.
 */
export function contractRoutes(): Plugin {
  return {
    name: 'contract-routes',
    enforce: 'pre',
    async load(id) {
      const file = id.split('?')[0] ?? id
      if (!ROUTES.test(file)) return null
      // Asked for anew each time, so that a change is seen while developing.
      const module: Record<string, unknown> = await import(
        `${pathToFileURL(file).href}?at=${Date.now()}`
      )
      return Object.entries(module)
        .filter(([, value]) => isRoute(value))
        .map(([name, route]) => {
          const { request: _request, reply: _reply, ...rest } = route as Record<string, unknown>
          return `export const ${name} = ${JSON.stringify(rest)}`
        })
        .join('\n')
    },
  }
}

function isRoute(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'path' in value && 'request' in value
}
