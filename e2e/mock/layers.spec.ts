/**
 * Goal: everything that opens over a screen (sheets, dialogs, toasts, bars) has no cut-off text in any language on the
 * narrowest phone, and no findings of axe in light and dark. Method: each is opened by tapping, and the language is
 * changed while it is open.
 */
import type { Locator, Page } from '@playwright/test'
import { login, sendCode } from '@sum28/contract/user-routes.ts'
import {
  addressesOf,
  axeOf,
  changeLanguage,
  followSystem,
  LANGUAGES,
  seenInEach,
} from '../appearance.ts'
import { actAs, expect } from '../browser.ts'
import { cutOffForGood } from '../cut-off-text.ts'
import { MEMBER } from '../full-replies.ts'
import { JOURNEYS, type Look, longestServerTexts, toastOf } from '../layers.ts'
import { test } from '../mocked.ts'

test.use({ viewport: { width: 320, height: 568 } })

/** It goes on in English. */
const OTHERS_THEN_ENGLISH = [...LANGUAGES.filter((lang) => lang !== 'en'), 'en'] as const

/** Looks at an open layer in each language, and with axe; notes each fault with the part where it was found. */
class Faults implements Look {
  readonly all: string[] = []

  async seen(page: Page, part: string, shown: Locator): Promise<void> {
    await this.opened(page, part, shown)
    const seen = await seenInEach(page, OTHERS_THEN_ENGLISH)
    await shown.first().waitFor()
    for (const { lang, cutOff } of seen) {
      this.all.push(...cutOff.map((fault) => `${part}: ${lang}: ${fault}`))
    }
  }

  async opened(page: Page, part: string, shown: Locator): Promise<void> {
    await shown.first().waitFor()
    const faults = [...(await axeOf(page)), ...(await cutOffForGood(page))]
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

test('the server’s longest texts fit a toast in every language', async ({ page, mock }) => {
  const faults: string[] = []
  await page.goto('/login')
  const fields = page.locator('form input')
  await fields.nth(0).fill('somebody')
  await fields.nth(1).fill('some passphrase')
  for (const lang of LANGUAGES) {
    for (const msg of longestServerTexts(lang)) {
      mock.refuse(login, { reason: 'fault', msg })
      await page.locator('form button[type=submit]').click()
      await toastOf(page).filter({ hasText: msg }).waitFor()
      faults.push(...(await cutOffForGood(page)).map((fault) => `${lang}: ${fault}`))
    }
  }
  expect(faults).toEqual([])
})

test('a toast covers neither the field in focus nor the button of its form', async ({
  page,
  mock,
}) => {
  await page.goto('/register')
  const email = page.getByLabel('Email', { exact: true })
  await email.fill('ann@example.com')
  const covered = () =>
    page.evaluate(`(() => {
      const box = document
        .querySelector('[role=status][aria-live=polite] > div')
        .getBoundingClientRect()
      return [document.activeElement, document.querySelector('form [type=submit]')].filter((part) => {
        const { top, bottom } = part.getBoundingClientRect()
        return top < box.bottom && bottom > box.top
      }).length
    })()`)
  for (const lang of LANGUAGES) {
    const [msg = ''] = longestServerTexts(lang)
    // Where the toast will come, and at the end of the page, with the button in sight.
    for (const place of ['start', 'end'] as const) {
      // No longer than the longest, and another than that of the time before, which is still shown.
      const text = place === 'start' ? msg : `${msg.slice(0, -1)}!`
      mock.refuse(sendCode, { reason: 'fault', msg: text })
      await email.focus()
      await page.evaluate(`document.activeElement.scrollIntoView({ block: '${place}' })`)
      await email.press('Enter')
      await toastOf(page).filter({ hasText: text }).waitFor()
      expect(await covered(), `${lang}, ${place}`).toBe(0)
    }
  }
})

test('a title beside the chip of the days takes one line in every language', async ({
  page,
  context,
}) => {
  await actAs(context, MEMBER)
  await followSystem(context)
  const lines = `[...document.querySelectorAll('h1')].map((title) =>
    Math.round(title.getBoundingClientRect().height / parseFloat(getComputedStyle(title).lineHeight)))`
  for (const name of ['betHistory', 'statement', 'trend', 'pastRounds'] as const) {
    const [address = ''] = addressesOf(name)
    await page.goto(address)
    for (const lang of LANGUAGES) {
      await changeLanguage(page, lang)
      expect(await page.evaluate(lines), `${name} in ${lang}`).toEqual([1])
    }
  }
})
