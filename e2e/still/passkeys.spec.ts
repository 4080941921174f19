/** Passkeys in a real browser, with its virtual authenticator: made, used, proved with, removed; and devices ended. */
import type { Page } from '@playwright/test'
import { actAs, expect, expectToast, giveAuthenticator, logIn, PASSWORD } from '../browser.ts'
import { post, registerMember, test } from '../stack.ts'

async function confirmByPassword(page: Page) {
  const sheet = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await sheet.getByLabel('Login password').fill(PASSWORD)
  await sheet.getByRole('button', { name: 'Confirm' }).click()
  await expect(sheet).toBeHidden()
}

/** As when the browser was closed: the page has no session any more. */
async function forgetSession(page: Page) {
  await page.evaluate('sessionStorage.clear()')
}

/** As in a browser that offers passkeys in no form. */
const WITHOUT_OFFER = 'PublicKeyCredential.isConditionalMediationAvailable = async () => false'

async function addPasskey(page: Page) {
  await page.goto('/security')
  await page.getByLabel('Name of the new passkey').fill('My phone')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await confirmByPassword(page)
  await expectToast(page, 'Passkey added')
  await expect(page.getByText('Not used yet')).toBeVisible()
}

test('a passkey signs its player in, proves that it is him when it is removed, and is forgotten once it signs in no more', async ({
  page,
  stack,
}) => {
  const { session, authenticatorId } = await giveAuthenticator(page)
  await page.addInitScript(WITHOUT_OFFER)
  const player = await registerMember(stack)
  await logIn(page, player.name)
  await addPasskey(page)
  await forgetSession(page)
  await page.goto('/login')
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  await expect(page).not.toHaveURL(/login/)
  // A proof counts for five minutes, and this clock stands still.
  await stack.database.owner.query(
    'update accounts.session set proved_at = null where player_id = $1',
    [player.user_id],
  )
  await page.goto('/security')
  await page.getByRole('button', { name: 'Remove “My phone”?' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Use a passkey' }).click()
  await expectToast(page, 'Passkey removed')
  await forgetSession(page)
  await page.goto('/login')
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  await expectToast(page, /This passkey is not known here/)
  const stored = () => session.send('WebAuthn.getCredentials', { authenticatorId })
  await expect.poll(async () => (await stored()).credentials).toEqual([])
})

test('an authenticator without a finger, face or PIN makes no passkey, and one that has one makes no second', async ({
  page,
  stack,
}) => {
  const { session, authenticatorId } = await giveAuthenticator(page)
  await actAs(page.context(), await registerMember(stack))
  await page.goto('/security')
  const add = page.getByRole('button', { name: 'Add a passkey' })
  await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await add.click()
  await confirmByPassword(page)
  await expect(add).toBeEnabled()
  const stored = () => session.send('WebAuthn.getCredentials', { authenticatorId })
  expect((await stored()).credentials).toEqual([])
  await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
  await add.click()
  await expectToast(page, 'Passkey added')
  await add.click()
  await expectToast(page, 'This device has a passkey for your account already.')
  expect((await stored()).credentials).toHaveLength(1)
})

test('the login form offers a passkey beside the user name, which signs in by one choice', async ({
  page,
  stack,
}) => {
  await giveAuthenticator(page)
  await logIn(page, (await registerMember(stack)).name)
  await page.goto('/security')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await confirmByPassword(page)
  await expectToast(page, 'Passkey added')
  await forgetSession(page)
  // The virtual authenticator's owner chooses the passkey as soon as the form offers it.
  await page.goto('/login')
  await expect(page).not.toHaveURL(/login/)
  await page.goto('/security')
  await expect(page.getByText(/Last used/)).toBeVisible()
})

test('a player sees where he is signed in, and signs a device out', async ({ page, stack }) => {
  const player = await registerMember(stack)
  await logIn(page, player.name)
  const other = await post(stack, '/api/user/login', { account: player.name, password: PASSWORD })
  const { userinfo } = other.data as { userinfo: { token: string } }
  await page.goto('/security')
  await expect(page.getByText('This device')).toBeVisible()
  await expect(page.getByText('Chrome · ')).toBeVisible()
  const end = page.getByRole('button', { name: 'Log out Another program' })
  // Registering began one session, and signing in by the program another.
  await expect(end).toHaveCount(2)
  await end.first().click()
  await expect(end).toHaveCount(1)
  await page.getByRole('button', { name: 'Log out all other devices' }).click()
  await page.getByRole('button', { name: 'Log out', exact: true }).click()
  await expect(end).toHaveCount(0)
  expect(await post(stack, '/api/user/userInfo', {}, userinfo.token)).toMatchObject({
    data: { reason: 'session_unknown' },
  })
  await page.reload()
  await expect(page.getByText('This device')).toBeVisible()
})
