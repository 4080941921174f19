import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { expect, it } from 'vitest'
import { BUILD_TARGET } from './oldest-browsers.ts'

it('the build keeps the prefix without which iOS enlarges texts', async () => {
  const input = fileURLToPath(new URL('../../../apps/web/src/styles/base.css', import.meta.url))
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: { target: BUILD_TARGET, write: false, rolldownOptions: { input } },
  })
  const { output } = 'output' in built ? built : { output: [] }
  const css = output.map((file) => ('source' in file ? String(file.source) : '')).join('')
  expect(css).toContain('-webkit-text-size-adjust:100%')
})
