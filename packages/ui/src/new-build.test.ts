import { describe, expect, it } from 'vitest'
import { otherBuild } from '#src/new-build.ts'

const PAGE = `<!doctype html><link rel="icon" href="/icon.svg" />
<script type="module" crossorigin src="/assets/index-aaa.js"></script>
<link rel="modulepreload" crossorigin href="/assets/vendor-v1.js">
<link rel="stylesheet" crossorigin href="/assets/index-sss.css">`

const LOADED = ['/assets/index-aaa.js', '/assets/vendor-v1.js', '/assets/index-sss.css']

describe('the check for a new build', () => {
  it('finds none if every named file is loaded, also if others were loaded since', () => {
    expect(otherBuild(PAGE, LOADED)).toBeNull()
    expect(otherBuild(PAGE, ['/assets/lottery-xyz.css', ...LOADED])).toBeNull()
  })

  it.each([
    ['program', 'index-aaa.js', 'index-bbb.js'],
    ['library', 'vendor-v1.js', 'vendor-v2.js'],
    ['style', 'index-sss.css', 'index-ttt.css'],
  ])('finds one by another %s', (_, before, after) => {
    expect(otherBuild(PAGE.replace(before, after), LOADED)).toContain(after)
  })

  it('does not treat a page without the app, such as a maintenance notice, as a build', () => {
    expect(otherBuild('<h1>Back soon</h1>', LOADED)).toBeNull()
    expect(otherBuild('', LOADED)).toBeNull()
  })
})
