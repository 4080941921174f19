/** The least page by React, built in the way the app is: what no app with React can be lighter than. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'vite'

const WEB = fileURLToPath(new URL('../../apps/web/', import.meta.url))

const MAIN = `import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
createRoot(document.querySelector('main')).render(createElement('p', null, 'React alone'))
`

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>React alone</title>
<meta name="viewport" content="width=device-width"><main></main>
<script type="module" src="/main.js"></script></html>`

/** The script of the page. */
export async function reactAlone(): Promise<string> {
  const root = mkdtempSync(join(WEB, '.react-alone-'))
  try {
    writeFileSync(join(root, 'main.js'), MAIN)
    const built = await build({
      root,
      configFile: false,
      logLevel: 'error',
      build: { write: false, target: 'es2022', rolldownOptions: { input: join(root, 'main.js') } },
    })
    const outputs = Array.isArray(built) ? built : 'output' in built ? [built] : []
    const chunks = outputs.flatMap(({ output }) =>
      output.flatMap((part) => (part.type === 'chunk' ? [part.code] : [])),
    )
    if (chunks.length !== 1) throw new Error(`React alone was built as ${chunks.length} scripts`)
    return chunks.join('')
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** Serves the page, its script by brotli. */
export async function serveReactAlone(): Promise<{ url: string; stop: () => void }> {
  const script = brotliCompressSync(await reactAlone())
  const server = createServer(({ url }, reply) => {
    if (url === '/') reply.setHeader('content-type', 'text/html').end(PAGE)
    else if (url !== '/main.js') reply.writeHead(404).end()
    else {
      reply.setHeader('content-type', 'text/javascript').setHeader('content-encoding', 'br')
      reply.end(script)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, stop }
}
