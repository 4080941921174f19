/** The console's content: an article in two languages, from writing to the app, and a stale form. */
import type { Page } from '@playwright/test'
import { actAs, expect, speak } from '../browser.ts'
import { axeOf, DESKTOP, openAs } from '../console-people.ts'
import { seat, test } from '../stack.ts'

test.use(DESKTOP)

/** A picture of one pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Writes title and text of the language that is chosen, and saves them. */
async function write(page: Page, title: string, html: string): Promise<void> {
  await page.getByLabel('Title', { exact: true }).fill(title)
  await page.getByRole('button', { name: 'As HTML' }).click()
  await page.getByLabel('Text (HTML)').fill(html)
  await page.getByRole('button', { name: 'Save this language' }).click()
}

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

test('a stale form shows what another has saved, and overwrites nothing', async ({
  page,
  anotherPage,
  stack,
}) => {
  await openAs(page, stack, 'editor', '/articles/2/show')
  const typed = '<p>What the editor types.</p>'
  await page.getByRole('button', { name: 'As HTML' }).click()
  await page.getByLabel('Text (HTML)').fill(typed)
  // It stays while he looks at another language.
  await page.getByRole('tab', { name: '日本語' }).click()
  await expect(page.getByLabel('Text (HTML)')).not.toHaveValue(typed)
  await page.getByRole('tab', { name: 'English' }).click()
  await expect(page.getByLabel('Text (HTML)')).toHaveValue(typed)

  const other = await anotherPage()
  await openAs(other, stack, 'owner', '/articles/2/show')
  const saved = other.waitForResponse(
    (response) => response.url().endsWith('/pieces/text') && response.ok(),
  )
  await write(other, 'Odds, anew', '<p>What the owner saved.</p>')
  // A reload would end a call that is tried again.
  await saved
  await expect(async () => {
    await other.reload()
    const text = other.getByLabel('Text (HTML)')
    await expect(text).toHaveValue('<p>What the owner saved.</p>', { timeout: 5_000 })
  }).toPass()

  await page.getByRole('button', { name: 'Save this language' }).click()
  await expect(page.getByText('owner has changed this meanwhile.')).toBeVisible()
  await expect(page.getByText('<p>What the owner saved.</p>')).toBeVisible()
  await expect(page.getByLabel('Text (HTML)')).toHaveValue(typed)
  expect(await axeOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Work on from what is there now' }).click()
  await page.getByRole('button', { name: 'Save this language' }).click()
  await expect(page.getByRole('button', { name: 'Save this language' })).toBeDisabled()
  await expect(page.getByLabel('Text (HTML)')).toHaveValue(typed)
})

test('a banner is added, moved up and hidden', async ({ page, stack }) => {
  await openAs(page, stack, 'editor', '/banners')
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') })
  const picture = page.getByRole('dialog').getByLabel('Picture')
  await expect(async () => {
    // Opened before the upload has ended, the form has no picture.
    if (await picture.isVisible()) await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Add a banner' }).first().click({ timeout: 2_000 })
    await expect(picture).toHaveValue(/^\/uploads\/[0-9a-f]{32}\.webp$/, { timeout: 2_000 })
  }).toPass()
  await page.getByRole('dialog').getByLabel('Leads to').fill('/hall')
  await page.getByRole('dialog').getByRole('button', { name: 'Add a banner' }).click()
  const rows = page.getByRole('row')
  await expect(rows.last()).toContainText('/hall')
  await rows.last().getByRole('button', { name: 'Move up' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Move up' }).click()
  await expect(rows.nth(3)).toContainText('/hall')
  await rows.nth(3).getByRole('button', { name: 'Change' }).click()
  await page.getByRole('dialog').getByLabel('Shown').click()
  await page.getByRole('option', { name: 'hidden' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Change' }).click()
  await expect(rows.nth(3)).toContainText('hidden')
})
