/**
 * Goal: the main screens open without console messages and without findings of axe. That all
 * screens fit the narrowest phone in each language is tested by every-route.spec.ts. Method: a
 * member's session is put into the browser, and each address is opened.
 */
import AxeBuilder from '@axe-core/playwright'
import { actAs, expect, type Player, registerMember, test, untilLoaded } from './stack.ts'

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
  '/limits',
  '/break',
  '/safer-play',
]

let member: Player | undefined

test.describe('every screen', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`has no findings of axe in ${colorScheme}`, async ({ page, context, stack }) => {
      member ??= await registerMember(stack, 'screen_reader')
      await actAs(context, member, 'en')
      // Without animation, so that colours are not checked during a fade.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      for (const path of SCREENS) {
        await page.goto(path)
        await expect(page.getByRole('heading').first()).toBeVisible()
        // What is loading is not the screen that is meant.
        await untilLoaded(page)
        const { violations } = await new AxeBuilder({ page }).analyze()
        const found = violations.map(
          ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`,
        )
        expect.soft(found, path).toEqual([])
      }
    })
  }
})
