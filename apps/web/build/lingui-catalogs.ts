import { readFile } from 'node:fs/promises'
import { compileMessage } from '@sum28/i18n/compile-message.ts'
import type { Plugin } from 'vite'

const CATALOG = /\/src\/locales\/[\w-]+\/[^/]+\.json$/

/**
 * Turns the message catalogs (`src/locales/<language>/<area>.json`, flat keys to ICU messages) into
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
