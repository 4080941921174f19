/**
 * Goal: the search for cut-off text finds each way in which text can be cut, and nothing else.
 * Method: small pages in a real browser, each with the fault or its corrected version.
 */
import { expect, test } from '@playwright/test'
import { cutOffText } from '../cut-off-text.ts'

test.use({ viewport: { width: 320, height: 568 } })

const LONG = 'Một nhãn dài hơn chỗ dành cho nó trên điện thoại'

const FAULTS = [
  ['a label that its box cuts', box('overflow: hidden; white-space: nowrap'), /out of its box/],
  [
    'a label that a box around it cuts',
    `<div style="width: 90px; overflow: clip"><span><p style="width: 400px">${LONG}</p></span></div>`,
    /is cut \d+ px at its side/,
  ],
  [
    'an active ellipsis',
    box('overflow: hidden; white-space: nowrap; text-overflow: ellipsis'),
    /ends in dots/,
  ],
  [
    'a clamped paragraph',
    box(
      'overflow: hidden; display: -webkit-box; -webkit-box-orient: vertical; line-clamp: 2; -webkit-line-clamp: 2',
    ),
    /is cut above or below/,
  ],
  ['lines cut by a height', box('overflow: hidden; height: 30px'), /is cut above or below/],
  ['a placeholder wider than its field', field(LONG, 120), /too long for its field/],
  [
    'a choice wider than its list',
    `<select style="width: 90px"><option>${LONG}</option></select>`,
    /too long for its field/,
  ],
  [
    'a label wider than its button',
    `<button style="width: 70px">Unabbreviatedness</button>`,
    /out of its box|out of the button/,
  ],
  [
    'a label higher than its button',
    `<button style="width: 90px; height: 30px; background: red">${LONG}</button>`,
    /out of the button or tile/,
  ],
  [
    'a text beyond the edge of the screen',
    `<p style="position: absolute; left: 250px; width: 200px">${LONG}</p>`,
    /beyond the screen/,
  ],
  [
    'a dialog higher than the screen',
    `<div style="position: fixed; top: 540px; width: 120px">${LONG}</div>`,
    /above or below the screen/,
  ],
  [
    'a line that must be scrolled sideways',
    `<div style="width: 120px; overflow-x: auto"><p style="width: 500px">${LONG}</p></div>`,
    /is cut \d+ px at its side/,
  ],
  [
    'a short word on two lines',
    `<b style="display: block; width: 30px; overflow-wrap: anywhere">Permainan</b>`,
    /has ‘Permainan’ on two lines/,
  ],
] as const

test('finds each way in which text is cut off', async ({ page }) => {
  for (const [name, body, how] of FAULTS) {
    await page.setContent(page320(body))
    expect.soft((await cutOffText(page)).join('\n'), name).toMatch(how)
  }
})

const WHOLE = [
  ['what fits', box('overflow: hidden; text-overflow: ellipsis')],
  ['a field whose placeholder fits', field('Amount', 120)],
  [
    'a field whose placeholder is written small enough',
    `<style>::placeholder { font-size: 4px }</style>${field(LONG, 180)}`,
  ],
  ['a button that grows with its label', `<button style="width: 120px">${LONG}</button>`],
  [
    'what is scrolled upwards',
    `<div style="height: 40px; width: 90px; overflow-y: auto">${LONG}</div>`,
  ],
  [
    'what was scrolled away inside a painted box',
    `<div style="width: 200px; background: red"><div style="height: 40px; overflow-y: auto; display: flex; flex-direction: column-reverse">${LONG.repeat(9)}</div></div>`,
  ],
  [
    'what a painted box scrolls upwards',
    `<div style="height: 40px; width: 200px; overflow: auto; background: red">${`<p>${LONG}</p>`.repeat(9)}</div>`,
  ],
  [
    'an address that is broken where it must be',
    `<p style="width: 90px; overflow-wrap: anywhere">TQooBX9o8iSSprLWW96YShBogx7Uwisuim</p>`,
  ],
  ['what is for screen readers', `<span class="unseen">${LONG}</span>`],
  ['what is not shown', box('overflow: hidden; white-space: nowrap; visibility: hidden')],
  [
    'a name that may be cut',
    `<p data-may-be-cut style="width: 60px; overflow: hidden">Unabbreviatedness</p>`,
  ],
  [
    'a strip that is meant to scroll sideways',
    `<div class="_strip_1a2b3" style="width: 120px; overflow-x: auto"><p style="width: 500px">${LONG}</p></div>`,
  ],
  [
    'what leaves a box that does not hold it',
    `<div style="width: 9px; height: 9px; overflow: hidden"><p style="position: absolute; width: 200px">${LONG}</p></div>`,
  ],
] as const

test('finds nothing in what is whole, or cut on purpose', async ({ page }) => {
  for (const [name, body] of WHOLE) {
    await page.setContent(page320(body))
    expect.soft(await cutOffText(page), name).toEqual([])
  }
})

function page320(body: string): string {
  const unseen = '.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden }'
  return `<!doctype html><meta name="viewport" content="width=device-width">
    <style>${unseen}</style>${body}`
}

function box(style: string): string {
  return `<p style="width: 90px; ${style}">${LONG}</p>`
}

function field(placeholder: string, width: number): string {
  return `<input style="width: ${width}px" placeholder="${placeholder}">`
}
