/** Browsers that lack something: it is removed from a page before the page starts. */
import type { Page } from '@playwright/test'
import { NEWER_APIS } from '../tools/newer-apis.ts'

/** Old browsers have these too; what the data calls newer is a detail. */
const OLD_IN_THE_MAIN =
  /^(AbortSignal\.timeout|(Input|Keyboard)Event\.isComposing|TouchEvent\.|Touch(\.|$))/

/** Removes all that the oldest browsers of README do not have yet. */
export async function removeNewerApis(page: Page): Promise<void> {
  const apis = NEWER_APIS.filter(
    ({ owner, member }) => !OLD_IN_THE_MAIN.test(member ? `${owner}.${member}` : owner),
  )
  await page.addInitScript(`{
    const apis = ${JSON.stringify(apis)}
    for (const { key, owner, member, isStatic } of apis) {
      const target = owner.split('.').reduce((at, part) => at?.[part], globalThis)
      if (member === null || typeof target !== 'function') continue
      // Of JavaScript's own objects the data does not say which members are static.
      if (isStatic || key.startsWith('javascript.')) Reflect.deleteProperty(target, member)
      if (!isStatic && target.prototype) Reflect.deleteProperty(target.prototype, member)
    }
    for (const { owner, member } of apis) {
      if (member === null) Reflect.deleteProperty(globalThis, owner)
    }
  }`)
}

/** As with all site data blocked. */
export async function blockSiteData(page: Page): Promise<void> {
  await page.addInitScript(`
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches']) {
      Object.defineProperty(window, name, {
        configurable: true,
        get() {
          throw new DOMException('The operation is insecure.', 'SecurityError')
        },
      })
    }`)
}
