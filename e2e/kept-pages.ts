/**
 * Pages that the tests of a worker use one after the other. A new page would load and compile the whole app again, which
 * costs more than most tests. Between two tests a page loses all that a test has given it; one that cannot lose it (a
 * stopped clock, a service worker) is closed.
 */
import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Disposable,
  Page,
} from '@playwright/test'

/** A small file of the app's own origin: there a page waits, in the process that has compiled the app. */
const WAITING_PLACE = '/icon.svg'

type Undo = () => Promise<unknown>

type Kept = {
  page: Page
  /** The options of its context that cannot be changed. */
  kind: string
  inUse: boolean
  /** Takes back what the present test has given it. */
  undo: Undo[]
  /** The present test has changed it for good. */
  isSpoilt: boolean
}

export class KeptPages {
  readonly #browser: Browser
  readonly #pages = new Set<Kept>()

  constructor(browser: Browser) {
    this.#browser = browser
  }

  /** A page that is as a new one, of a context of its own. */
  async take(options: BrowserContextOptions): Promise<Page> {
    const { viewport, ...fixed } = options
    const kind = JSON.stringify(fixed)
    const idle = [...this.#pages].find((each) => !each.inUse && each.kind === kind)
    if (!idle) return this.#open(options, kind)
    idle.inUse = true
    if (viewport) await idle.page.setViewportSize(viewport)
    return idle.page
  }

  async #open(options: BrowserContextOptions, kind: string): Promise<Page> {
    const context = await this.#browser.newContext(options)
    const page = await context.newPage()
    const isSpoilt = options.serviceWorkers !== 'block' || !options.baseURL
    const kept: Kept = { page, kind, inUse: true, undo: [], isSpoilt }
    this.#pages.add(kept)
    undoWhatIsAdded(context, kept)
    undoWhatIsAdded(page, kept)
    const openSession = context.newCDPSession.bind(context)
    context.newCDPSession = async (target) => {
      const session = await openSession(target)
      kept.undo.push(() => session.detach().catch(() => {}))
      return session
    }
    for (const name of ['install', 'pauseAt', 'runFor'] as const) {
      const change = context.clock[name].bind(context.clock) as (time: never) => Promise<void>
      context.clock[name] = (time?: unknown) => {
        kept.isSpoilt = true
        return change(time as never)
      }
    }
    return page
  }

  /** Takes all pages back after a test; those of a failed test are closed. */
  async giveBackAll({ failed }: { failed: boolean }): Promise<void> {
    for (const kept of this.#pages) {
      if (!kept.inUse) continue
      if (failed || kept.isSpoilt || kept.page.isClosed()) {
        this.#pages.delete(kept)
        await kept.page.context().close()
      } else {
        await forget(kept)
        kept.inUse = false
      }
    }
  }
}

function undoWhatIsAdded(target: BrowserContext | Page, { undo }: Kept): void {
  for (const name of ['addInitScript', 'exposeBinding'] as const) {
    const add = target[name].bind(target) as (...given: unknown[]) => Promise<Disposable>
    Object.assign(target, {
      [name]: async (...given: unknown[]) => {
        const added = await add(...given)
        undo.push(() => added.dispose())
        return added
      },
    })
  }
}

async function forget({ page, undo }: Kept): Promise<void> {
  const context = page.context()
  for (const event of ['console', 'pageerror', 'request', 'response', 'download'] as const) {
    page.removeAllListeners(event)
  }
  for (const other of context.pages()) if (other !== page) await other.close()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  for (const step of undo.splice(0)) await step()
  await context.setOffline(false)
  await context.clearPermissions()
  await context.clearCookies()
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce', forcedColors: 'none' })
  const devTools = await context.newCDPSession(page)
  // An app whose session has ended loads itself anew, which would end this navigation.
  await devTools.send('Emulation.setScriptExecutionDisabled', { value: true })
  // One that has begun before is stopped; it may have been on its way to the browser at the first stop.
  const leave = async () => {
    // While a document takes the place of another, there is nothing to stop.
    await devTools.send('Page.stopLoading').catch(() => {})
    await page.goto(WAITING_PLACE)
  }
  await leave().catch(leave)
  await devTools.send('Emulation.setScriptExecutionDisabled', { value: false })
  await page.evaluate('sessionStorage.clear()')
  const { origin } = new URL(page.url())
  await devTools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await devTools.send('Page.resetNavigationHistory')
  await devTools.detach()
  undo.length = 0
}
