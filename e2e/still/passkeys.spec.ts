/** Passkeys in a real browser, with its virtual authenticator: made, used, proved with, removed. */
import type { Page } from '@playwright/test'
import { actAs, expect, expectToast, logIn, PASSWORD } from '../browser.ts'
import { registerMember, test } from '../stack.ts'

/** Gives the browser a phone's authenticator, whose owner always says yes. */
async function giveAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { session, authenticatorId }
}

async function confirmByPassword(page: Page) {
  const sheet = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await sheet.getByLabel('Login password').fill(PASSWORD)
  await sheet.getByRole('button', { name: 'Confirm' }).click()
  await expect(sheet).toBeHidden()
}

async function logOut(page: Page) {
  await page.goto('/setting?type=1')
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/\/$/)
}

test('a player adds a passkey, signs in with it, proves by it that it is him, and removes it', async ({
  page,
  stack,
}) => {
  await giveAuthenticator(page)
  // As in a browser that offers passkeys in no form.
  await page.addInitScript(
    'PublicKeyCredential.isConditionalMediationAvailable = async () => false',
  )
  await logIn(page, (await registerMember(stack)).name)

  await page.goto('/setting?type=2')
  await page.getByRole('link', { name: 'Sign-in and security' }).click()
  await page.getByLabel('Name of the new passkey').fill('My phone')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await confirmByPassword(page)
  await expectToast(page, 'Passkey added')
  await expect(page.getByText('Not used yet')).toBeVisible()

  await logOut(page)
  await page.goto('/login')
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  await expect(page).not.toHaveURL(/login/)

  await page.goto('/security')
  await expect(page.getByText(/Last used/)).toBeVisible()
  await page.getByRole('button', { name: 'Remove “My phone”?' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Use a passkey' }).click()
  await expectToast(page, 'Passkey removed')
  await expect(page.getByText('My phone')).toBeHidden()

  await logOut(page)
  await page.goto('/login')
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  await expectToast(page, /This passkey is not known here/)
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
  await logOut(page)
  // The virtual authenticator's owner chooses the passkey as soon as the form offers it.
  await page.goto('/login')
  await expect(page).not.toHaveURL(/login/)
  await page.goto('/security')
  await expect(page.getByText(/Last used/)).toBeVisible()
})
