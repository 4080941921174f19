import { describe, expect, it } from 'vitest'
import { isAnotherBuild } from '#src/new-build.ts'

const PAGE = `<!doctype html><link rel="icon" href="/icon.svg" />
<script type="module" crossorigin src="/assets/index-aaa.js"></script>
<link rel="modulepreload" crossorigin href="/assets/vendor-v1.js">
<link rel="stylesheet" crossorigin href="/assets/index-sss.css">`

const LOADED = ['/assets/index-aaa.js', '/assets/vendor-v1.js', '/assets/index-sss.css']

describe('the check for a new build', () => {
  it('finds none if every named file is loaded, also if others were loaded since', () => {
    expect(isAnotherBuild(PAGE, LOADED)).toBe(false)
    expect(isAnotherBuild(PAGE, ['/assets/lottery-xyz.css', ...LOADED])).toBe(false)
  })

  it.each([
    ['program', 'index-aaa.js', 'index-bbb.js'],
    ['library', 'vendor-v1.js', 'vendor-v2.js'],
    ['style', 'index-sss.css', 'index-ttt.css'],
  ])('finds one by another %s', (_, before, after) => {
    expect(isAnotherBuild(PAGE.replace(before, after), LOADED)).toBe(true)
  })

  it('does not treat a page without the app, such as a maintenance notice, as a build', () => {
    expect(isAnotherBuild('<h1>Back soon</h1>', LOADED)).toBe(false)
    expect(isAnotherBuild('', LOADED)).toBe(false)
  })
})
