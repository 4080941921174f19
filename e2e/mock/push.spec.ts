/**
 * Goal: a player turns on, where it helps him, what he is told of while the app is closed; the worker shows a message
 * and its press opens the right page; and no browser tells one player of another's account. Method: the worker gets its
 * messages by the DevTools protocol. A headless browser has neither a push service nor notifications: both are
 * replaced, each at the browser's own call, and where a test is about their absence they are not.
 */
import type { Page, Worker } from '@playwright/test'
import { withdrawAction } from '@sum28/contract/money-routes.ts'
import * as own from '@sum28/contract/own-routes.ts'
import { PUSH_TOPICS, type PushMessage } from '@sum28/contract/push-topics.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { PUSH_PATHS } from '../../apps/server/src/modules/own-account/push.ts'
import { routeOf } from '../../apps/web/src/navigation/routes.ts'
import type { ContractMock } from '../../apps/web/src/testing/contract-mock.ts'
import { axeOf } from '../appearance.ts'
import { actAs, expect, expectToast, givePushService, logIn, pushEndpointIn } from '../browser.ts'
import { MEMBER } from '../full-replies.ts'
import { test } from '../mocked.ts'

test.use({ serviceWorkers: 'allow', workerStores: 'the first page' })

/** The worker, when it is installed and serves the app. */
async function workerOf(page: Page): Promise<Worker> {
  await page.goto('/')
  await expect
    .poll(() => page.evaluate('navigator.serviceWorker.controller?.state'))
    .toBe('activated')
  const [worker] = page.context().serviceWorkers()
  if (!worker) throw new Error('no worker')
  return worker
}

/** Has the worker keep what it shows, as `shown`. */
const KEEP_SHOWN = `registration.showNotification = async (title, options) => {
  self.shown = { title, ...options }
}`

/** A press of the notification that is shown. */
const PRESS = `{
  const press = new Event('notificationclick')
  press.notification = { data: self.shown.data, close: () => { self.shown = null } }
  press.waitUntil = (work) => { self.opened = work }
  self.dispatchEvent(press)
  self.opened
}`

/** Lets a page come to the front without a real press, which alone allows it. */
const FRONT = 'WindowClient.prototype.focus = async function () { return this }'

/** An open page of the app, as in a browser: once it has navigated it is another client, and its focus is refused. */
const OPEN_PAGE = `{
  self.steps = []
  let navigated = false
  const page = {
    url: location.origin + '/setting',
    async focus() {
      if (navigated) throw new DOMException('there is no such client', 'NotFoundError')
      self.steps.push('to the front')
      return page
    },
    async navigate(address) {
      navigated = true
      self.steps.push(address)
      return null
    },
  }
  clients.matchAll = async () => [page]
  clients.openWindow = async (address) => { self.steps.push('a window of ' + address) }
}`

/** Gives the worker a message as if its push service had sent it. */
async function deliver(page: Page, message: PushMessage): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    devTools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [ours] = registrations
      if (ours) resolve(ours.registrationId)
    })
  })
  await devTools.send('ServiceWorker.enable')
  await devTools.send('ServiceWorker.deliverPushMessage', {
    origin: new URL(page.url()).origin,
    registrationId: await registered,
    data: JSON.stringify(message),
  })
  await devTools.detach()
}

/** The server's part: what was chosen, and which browser is told. */
function answerPush(mock: ContractMock): { topics: readonly string[]; endpoint: string | null } {
  const state: {
    topics: ReplyOf<typeof own.push>['topics']
    amounts: boolean
    endpoint: string | null
  } = { topics: [], amounts: false, endpoint: null }
  mock.answer(own.push, ({ input }) => ({
    key: 'B',
    topics: state.topics,
    amounts: state.amounts,
    here: state.endpoint !== null && input.endpoint === state.endpoint,
    devices: state.endpoint === null ? 0 : 1,
  }))
  mock.answer(own.subscribePush, ({ input }) => {
    state.endpoint = input.endpoint
    return null
  })
  mock.answer(own.choosePush, ({ input: { amounts, ...wanted } }) => {
    state.topics = PUSH_TOPICS.filter((topic) => wanted[topic])
    state.amounts = amounts
    return null
  })
  mock.answer(own.unsubscribePush, () => {
    state.endpoint = null
    return null
  })
  return state
}

const SETTINGS = '/setting?type=1'

/** Turns it on in the settings. */
async function turnOn(page: Page) {
  await page.goto(SETTINGS)
  await page.getByRole('button', { name: 'Turn on here' }).click()
  await expectToast(page, 'Notifications are on')
  await expect(page.getByRole('button', { name: 'Turn off here' })).toBeVisible()
}

async function requestWithdrawal(page: Page) {
  await page.goto('/withdraw?group_id=1')
  await page.getByLabel('Amount', { exact: true }).fill('128')
  await page
    .locator('label', { has: page.getByRole('radio') })
    .first()
    .click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('dialog').locator('input').first().click()
  await page.keyboard.type('246810')
}

test('a message is shown in its language, and its press opens the page about its topic, in the open app if there is one', async ({
  page,
  context,
  url,
}) => {
  await actAs(context, MEMBER, 'vi')
  const worker = await workerOf(page)
  await worker.evaluate(KEEP_SHOWN)
  await worker.evaluate(FRONT)
  const shown = () => worker.evaluate('self.shown')
  await test.step('a real page', async () => {
    for (const topic of PUSH_TOPICS) {
      const said = { title: 'Có tin mới', body: 'Mở Sum28 để xem thêm.', lang: 'vi' }
      const path = PUSH_PATHS[topic]
      expect(routeOf(new URL(path, url).pathname), path).not.toBeNull()
      await deliver(page, { ...said, topic, path })
      await expect
        .poll(shown)
        .toMatchObject({ ...said, tag: topic, icon: '/icon-192.png', data: path })
    }
    await worker.evaluate(PRESS)
    await expect(page).toHaveURL(url + PUSH_PATHS.support)
    // The messages, and not the announcements, which open first elsewhere.
    await expect(page.getByText('Withdrawal of 12,345.67 u requested')).toBeVisible()
    expect(await shown()).toBeNull()
  })
  const address = `${url}/Notice`
  await test.step('the open app comes to the front first, or a window opens if that is refused', async () => {
    await worker.evaluate(OPEN_PAGE)
    for (let press = 0; press < 2; press += 1) {
      await worker.evaluate(`self.shown = { data: '/Notice' };${PRESS}`)
    }
    expect(await worker.evaluate('self.steps')).toEqual([
      ...['to the front', address],
      `a window of ${address}`,
    ])
  })
  await test.step('a window opens if none of the app is open, and nothing of another origin', async () => {
    await worker.evaluate(`self.windows = []
      clients.matchAll = async () => [{ url: location.origin + '/console/players' }]
      clients.openWindow = async (address) => { self.windows.push(address) }`)
    for (const path of ['/Notice', 'https://elsewhere.example/Notice']) {
      await worker.evaluate(`self.shown = { data: '${path}' };${PRESS}`)
    }
    expect(await worker.evaluate('self.windows')).toEqual([address])
  })
})

test('a player turns it on in the settings, chooses, and turns it off', async ({
  page,
  context,
  mock,
}) => {
  await givePushService(context)
  await actAs(context, MEMBER)
  const state = answerPush(mock)
  await page.goto(SETTINGS)
  await expect(page.getByRole('button', { name: 'Turn on here' })).toBeVisible()
  expect(await axeOf(page)).toEqual([])
  await turnOn(page)
  expect(await axeOf(page)).toEqual([])
  const support = page.getByLabel('Messages from support')
  await expect(support).toBeChecked()
  await expect(page.getByLabel('Show amounts, also on the locked screen')).not.toBeChecked()
  await page.getByText('Messages from support').click()
  await expect(support).not.toBeChecked()
  expect(state.topics).toEqual(['deposit', 'withdrawal', 'sign_in'])
  await test.step('a subscription that the browser has changed is told to the server at the next start', async () => {
    await page.evaluate(`localStorage.setItem('test:endpoint', 'https://push.example/2')`)
    await page.goto('/')
    await expect.poll(() => state.endpoint).toBe('https://push.example/2')
  })
  await page.goto(SETTINGS)
  await page.getByRole('button', { name: 'Turn off here' }).click()
  await expect(page.getByRole('button', { name: 'Turn on here' })).toBeVisible()
  expect(state.endpoint).toBeNull()
  expect(await pushEndpointIn(page)).toBeNull()
})

test('a requested withdrawal offers to tell of its decision, of that alone, and no more once it is on', async ({
  page,
  context,
  mock,
}) => {
  await givePushService(context)
  await actAs(context, MEMBER)
  const state = answerPush(mock)
  mock.answer(withdrawAction, {
    id: 9,
    quantity: '128.00',
    after_quantity: '872.00',
    version: '7',
  })
  const done = page.getByRole('alertdialog', { name: 'Withdrawal requested' })
  const offer = done.getByText('Tell me on this device when it is decided')

  await requestWithdrawal(page)
  await expect(offer).toBeVisible()
  expect(await axeOf(page)).toEqual([])
  await offer.click()
  await expectToast(page, 'Notifications are on')
  expect(state.topics).toEqual(['withdrawal'])
  expect(state.endpoint).toBe(await pushEndpointIn(page))
  await requestWithdrawal(page)
  await expect(done).toBeVisible()
  await expect(offer).toBeHidden()
})

test('a phone that is handed on tells nothing of the player who logged out, nor of him to the next', async ({
  page,
  context,
  mock,
}) => {
  await givePushService(context)
  answerPush(mock)
  await logIn(page, 'ann')
  await turnOn(page)
  expect(await pushEndpointIn(page)).not.toBeNull()
  await test.step('the player logs out', async () => {
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click()
    await expect.poll(() => pushEndpointIn(page)).toBeNull()
  })
  await test.step('his session ends otherwise, and another player logs in', async () => {
    await logIn(page, 'ann')
    await turnOn(page)
    await page.evaluate(`sessionStorage.clear(); localStorage.setItem('push-player', '999')`)
    await logIn(page, 'ben')
    await expect.poll(() => pushEndpointIn(page)).toBeNull()
  })
})

/** What the browser's user has decided, and decides when he is asked. */
const decided = (permission: string, answer: string) => `{
  Object.defineProperty(Notification, 'permission', { get: () => '${permission}', configurable: true })
  Notification.requestPermission = async () => '${answer}'
}`

test('a browser that forbids it, has no push service, or cannot do it says so', async ({
  page,
  context,
  mock,
}) => {
  await actAs(context, MEMBER)
  answerPush(mock)
  const turnOnHere = page.getByRole('button', { name: 'Turn on here' })
  await page.addInitScript(decided('denied', 'denied'))
  await page.goto(SETTINGS)
  await expect(page.getByText('Your browser blocks notifications from Sum28.')).toBeVisible()
  await expect(turnOnHere).toHaveCount(0)
  await page.addInitScript(decided('default', 'denied'))
  await page.reload()
  await turnOnHere.click()
  await expectToast(page, /^Your browser blocks notifications/)
  // Its user closes the question: nothing is said, and he can press again.
  await page.addInitScript(decided('default', 'default'))
  await page.reload()
  await turnOnHere.click()
  await expect(turnOnHere).toBeEnabled()
  // As it is: no headless browser has a push service.
  await page.addInitScript(decided('granted', 'granted'))
  await page.reload()
  await turnOnHere.click()
  await expectToast(page, /notification service cannot be reached/)
  expect(mock.requestsOf(own.subscribePush)).toEqual([])
  await page.addInitScript('delete window.PushManager')
  await page.reload()
  await expect(page.getByText('This browser cannot show notifications')).toBeVisible()
})
