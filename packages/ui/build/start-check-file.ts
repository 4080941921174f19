import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { minify, type Plugin, transformWithOxc } from 'vite'

const SOURCE = fileURLToPath(new URL('../src/start-check.ts', import.meta.url))
const WORDS = fileURLToPath(new URL('../src/start-words.json', import.meta.url))

/** Puts `src/start-check.ts` before an app's own script, as a file that browsers without modules read too, and its words beside it. */
export function startCheckFile(): Plugin {
  let base = '/'
  return {
    name: 'start-check-file',
    apply: 'build',
    configResolved(config) {
      base = config.base
    },
    async buildStart() {
      const words = JSON.stringify(JSON.parse(readFileSync(WORDS, 'utf8')))
      const hash = createHash('sha256').update(words).digest('hex').slice(0, 8)
      const wordsFile = `assets/start-words-${hash}.json`
      this.emitFile({ type: 'asset', fileName: wordsFile, source: words })
      const { code } = await transformWithOxc(readFileSync(SOURCE, 'utf8'), SOURCE, {
        target: 'es2015',
        sourcemap: false,
      })
      // A scope of its own: names of a script without a module are those of the page.
      const small = await minify(
        'start-check.js',
        `(START_WORDS => {${code}})(${JSON.stringify(base + wordsFile)})`,
        {
          compress: { target: 'es2015' },
        },
      )
      this.emitFile({ type: 'asset', name: 'start-check.js', source: small.code })
    },
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle = {} }) {
        const file = Object.keys(bundle).find((name) => name.includes('start-check'))
        if (!file) throw new Error('the build has no start-check.js')
        const attrs = { src: base + file, defer: true }
        return [{ tag: 'script', attrs, injectTo: 'head-prepend' }]
      },
    },
  }
}
