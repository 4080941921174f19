/** The console's content: an article in two languages, from writing to the app. */
import { actAs, expect, speak } from '../browser.ts'
import { axeOf, DESKTOP, openAs } from '../console-people.ts'
import { seat, test } from '../stack.ts'

test.use(DESKTOP)

test('an article is written in two languages, published, and seen in the app in both', async ({
  page,
  anotherPage,
  stack,
  console,
}) => {
  await openAs(page, stack, 'editor')
  await page.getByRole('link', { name: 'Articles', exact: true }).click()
  await page.getByRole('button', { name: 'New article' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title in English').fill('A new room opens')
  await dialog.getByLabel('Category').click()
  await page.getByRole('option', { name: 'Money' }).click()
  await dialog.getByRole('button', { name: 'New article' }).click()
  await page.getByRole('cell', { name: 'A new room opens' }).click()

  const preview = page.getByRole('region', { name: 'Preview' })
  await page.getByRole('button', { name: 'As HTML' }).click()
  await page
    .getByLabel('Text (HTML)')
    .fill('<h2>News</h2><p onclick="window.ran=1">It opens on Monday.</p><script>ran=2</script>')
  await expect(preview.getByRole('heading', { name: 'News' })).toBeVisible()
  // As wide as a phone, beside the text.
  await expect(preview).toHaveCSS('width', '375px')
  await page.getByRole('button', { name: 'Save this language' }).click()
  // What could run is not kept.
  await expect(page.getByLabel('Text (HTML)')).toHaveValue(
    '<h2>News</h2><p>It opens on Monday.</p>',
  )
  expect(await page.evaluate('window.ran')).toBeUndefined()
  // While the preview parses it outside the page, the browser reports what the policy blocked.
  expect(
    console.splice(0).filter((message) => !message.includes('Content Security Policy')),
  ).toEqual([])
  await page.getByRole('tab', { name: '日本語 (missing)' }).click()
  await page.getByLabel('Title', { exact: true }).fill('新しいルーム')
  await page.getByRole('button', { name: 'With buttons' }).click()
  const editor = page.getByRole('textbox', { name: 'Text', exact: true })
  await editor.click()
  await page.getByRole('button', { name: 'Bold' }).click()
  // The editor gets the focus back with the next frame.
  await expect(editor).toBeFocused()
  await page.keyboard.insertText('月曜日に開きます。')
  await expect(preview.getByText('月曜日に開きます。')).toBeVisible()
  await page.getByRole('button', { name: 'Publish' }).click()
  const question = page.getByRole('dialog')
  await expect(question.getByRole('alert')).toContainText('What you have typed is not saved')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Save this language' }).click()
  await expect(page.getByRole('tab', { name: '日本語', exact: true })).toBeVisible()
  expect(await axeOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByText('published', { exact: true })).toBeVisible()

  const reader = await seat(stack, { name: 'two_language_reader' })
  const id = Number(/articles\/(\d+)\/show/.exec(page.url())?.[1])
  for (const [lang, words] of [
    ['en', 'It opens on Monday.'],
    ['ja', '月曜日に開きます。'],
  ] as const) {
    const app = await anotherPage({ viewport: { width: 390, height: 844 } })
    await actAs(app.context(), reader, lang)
    await speak(app.context(), lang)
    await app.goto(`${stack.url}/aticleDetail?news=${encodeURIComponent(JSON.stringify({ id }))}`)
    await expect(app.getByText(words)).toBeVisible()
  }
})
