/**
 * Goal: everything that opens over a screen (sheets, dialogs, toasts, bars) has no cut-off text in any language on the
 * narrowest phone, and no findings of axe in light and dark. Method: each is opened by tapping, and the language is
 * changed while it is open.
 */
import type { Locator, Page } from '@playwright/test'
import { sendCode } from '@sum28/contract/user-routes.ts'
import { axeOf, followSystem, LANGUAGES, OTHERS_THEN_ENGLISH, seenInEach } from '../appearance.ts'
import { actAs, expect } from '../browser.ts'
import { cutOffForGood } from '../cut-off-text.ts'
import { MEMBER } from '../full-replies.ts'
import { JOURNEYS, type Look, longestServerTexts, toastOf } from '../layers.ts'
import { test } from '../mocked.ts'

test.use({ viewport: { width: 320, height: 568 } })

/** Looks at an open layer in each language, and with axe; notes each fault with the part where it was found. */
class Faults implements Look {
  readonly all: string[] = []

  async seen(page: Page, part: string, shown: Locator): Promise<void> {
    await shown.first().waitFor()
    this.#add(part, await axeOf(page))
    const seen = await seenInEach(page, OTHERS_THEN_ENGLISH)
    await shown.first().waitFor()
    for (const { lang, cutOff } of seen) this.#add(`${part}: ${lang}`, cutOff)
  }

  async opened(page: Page, part: string, shown: Locator): Promise<void> {
    await shown.first().waitFor()
    this.#add(part, await axeOf(page))
    this.#add(part, await cutOffForGood(page))
  }

  #add(part: string, faults: readonly string[]): void {
    this.all.push(...faults.map((fault) => `${part}: ${fault}`))
  }
}

for (const [where, journey] of Object.entries(JOURNEYS)) {
  test(`what opens in ${where} cuts no text off in any language`, async ({
    page,
    context,
    mock,
  }) => {
    await actAs(context, MEMBER)
    await followSystem(context)
    const faults = new Faults()
    await journey(page, faults, mock)
    expect(faults.all).toEqual([])
  })
}

test('a toast of the server’s longest texts fits in every language, and covers neither the field in focus nor the button of its form', async ({
  page,
  mock,
}) => {
  await page.goto('/register')
  const email = page.getByLabel('Email', { exact: true })
  await email.fill('ann@example.com')
  const covered = () =>
    page.evaluate(`(() => {
      const box = document
        .querySelector('body > [role=status] > div')
        .getBoundingClientRect()
      return [document.activeElement, document.querySelector('form [type=submit]')].filter((part) => {
        const { top, bottom } = part.getBoundingClientRect()
        return top < box.bottom && bottom > box.top
      }).length
    })()`)
  const faults: string[] = []
  for (const lang of LANGUAGES) {
    for (const [at, msg] of longestServerTexts(lang).entries()) {
      // At the end of the page, with the button in sight, and where the toast will come.
      const place = at % 2 === 0 ? 'end' : 'start'
      mock.refuse(sendCode, { reason: 'fault', msg })
      await email.focus()
      await page.evaluate(`document.activeElement.scrollIntoView({ block: '${place}' })`)
      await email.press('Enter')
      await toastOf(page).filter({ hasText: msg }).waitFor()
      expect(await covered(), `${lang}, ${place}`).toBe(0)
      faults.push(...(await cutOffForGood(page)).map((fault) => `${lang}: ${fault}`))
    }
  }
  expect(faults).toEqual([])
})
