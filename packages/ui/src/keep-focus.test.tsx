import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { keepFocus } from '#src/keep-focus.ts'

let end = () => {}

beforeEach(() => {
  vi.useFakeTimers()
  document.body.innerHTML = `
    <h1>Page</h1>
    <main>
      <button id="alone">Alone</button>
      <section><section><h3>Inner part</h3></section><h2>Part</h2><div id="row"><button id="inside">Inside</button></div></section>
      <div id="dialog" role="dialog"><button id="asked">Asked</button></div>
      <button id="other">Other</button>
    </main>`
  end = keepFocus(document)
})

afterEach(() => {
  vi.restoreAllMocks()
  end()
  vi.useRealTimers()
  history.replaceState(null, '', '/')
  document.body.innerHTML = ''
})

const get = (id: string) => document.getElementById(id) as HTMLButtonElement

/** The focus once the wait is over. */
async function focusLater(): Promise<Element | null> {
  await vi.advanceTimersByTimeAsync(150)
  return document.activeElement
}

it('finds the heading of the part, the dialog or the page when what has the focus is removed', async () => {
  get('inside').focus()
  get('row').remove()
  expect((await focusLater())?.textContent).toBe('Part')
  get('asked').focus()
  get('asked').remove()
  expect(await focusLater()).toBe(get('dialog'))
  get('dialog').remove()
  expect((await focusLater())?.textContent).toBe('Page')
})

it('does so for what had the focus before it was loaded', async () => {
  end()
  get('inside').focus()
  end = keepFocus(document)
  get('row').remove()
  expect((await focusLater())?.textContent).toBe('Part')
})

it('does so for what is disabled, unless it can be pressed again at once', async () => {
  get('inside').focus()
  get('inside').disabled = true
  expect((await focusLater())?.textContent).toBe('Part')
  get('alone').focus()
  get('alone').disabled = true
  await vi.advanceTimersByTimeAsync(20)
  get('alone').disabled = false
  expect(await focusLater()).toBe(get('alone'))
})

it('comes back to what was disabled for longer, unless the person has gone on meanwhile', async () => {
  const inside = get('inside')
  inside.focus()
  inside.disabled = true
  expect((await focusLater())?.textContent).toBe('Part')
  inside.disabled = false
  expect(await focusLater()).toBe(inside)
  inside.disabled = true
  await focusLater()
  get('other').focus()
  inside.disabled = false
  expect(await focusLater()).toBe(get('other'))
})

it('does not come back after the time in which an answer comes, and hides no later focus', async () => {
  // A pointer's focus, which this document does not know.
  const matches = get('asked').matches.bind(get('asked'))
  vi.spyOn(get('asked'), 'matches').mockImplementation(
    (selector) => !selector.startsWith(':focus-visible') && matches(selector),
  )
  get('asked').focus()
  get('asked').disabled = true
  expect(await focusLater()).toBe(get('dialog'))
  await vi.advanceTimersByTimeAsync(25_000)
  get('asked').disabled = false
  expect(await focusLater()).toBe(get('dialog'))
  expect(get('dialog').style.outline).toContain('none')
  get('other').focus()
  expect(get('dialog').style.outline).toBe('')
})

it('leaves the focus where a dialog, a screen or the person has put it', async () => {
  get('inside').focus()
  get('inside').remove()
  get('asked').focus()
  expect(await focusLater()).toBe(get('asked'))
  get('asked').remove()
  expect(await focusLater()).toBe(get('dialog'))
  get('other').focus()
  get('other').blur()
  await Promise.resolve()
  get('other').remove()
  expect(await focusLater()).toBe(document.body)
  get('alone').focus()
  history.replaceState(null, '', '/elsewhere')
  get('alone').remove()
  expect(await focusLater()).toBe(document.body)
})

it('finds the contents of a new page that does not take the focus itself', async () => {
  end()
  end = keepFocus(document, { home: 'main', alsoNewPages: true })
  get('inside').focus()
  history.replaceState(null, '', '/elsewhere')
  get('row').remove()
  expect((await focusLater())?.localName).toBe('main')
})
