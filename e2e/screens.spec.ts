/**
 * Goal: every screen that is built opens clean: nothing in the console, nothing that axe objects to,
 * no sideways scroll on the narrowest phone, in each language.
 * Method: a member's session is put into the browser, and each address is opened as it is.
 */
import AxeBuilder from '@axe-core/playwright'
import {
  actAs,
  expect,
  type Language,
  LOCALE_TYPES,
  type Player,
  registerMember,
  test,
} from './stack.ts'

const SCREENS = [
  '/',
  '/lottery',
  '/betRoom?id=41&game_id=4&name=BTC&title=Basic',
  '/personal',
  '/recharge?group_id=1',
  '/BetRecord',
  '/CapitalDetail',
  '/setting?type=1',
  '/language',
  '/login',
  '/register',
]

let member: Player | undefined

test.describe('every screen', () => {
  for (const lang of Object.keys(LOCALE_TYPES) as Language[]) {
    test(`fits a phone of 320 pixels in ${lang}`, async ({ page, context, stack }) => {
      member ??= await registerMember(stack, 'screen_reader')
      await actAs(context, member, lang)
      await page.setViewportSize({ width: 320, height: 568 })
      for (const path of SCREENS) {
        await page.goto(path)
        await expect(page.getByRole('heading').first()).toBeVisible()
        await expect(page.locator('html')).toHaveAttribute('lang', new RegExp(`^${lang}`))
        const tooWide = await page
          .locator('html')
          .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
        expect.soft(tooWide, `${path} scrolls sideways`).toBeLessThanOrEqual(0)
      }
    })
  }

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`gives axe nothing to object to in ${colorScheme}`, async ({ page, context, stack }) => {
      member ??= await registerMember(stack, 'screen_reader')
      await actAs(context, member, 'en')
      // Colours are judged as they stand, not half-way through a fade.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      for (const path of SCREENS) {
        await page.goto(path)
        await expect(page.getByRole('heading').first()).toBeVisible()
        await page.waitForLoadState('networkidle', { timeout: 1_500 }).catch(() => {})
        const { violations } = await new AxeBuilder({ page }).analyze()
        const found = violations.map(
          ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`,
        )
        expect.soft(found, path).toEqual([])
      }
    })
  }
})
