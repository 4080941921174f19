import { register, sendCode } from '@sum28/contract/user-routes.ts'
import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { setLineAddresses } from '#src/data/lines.ts'
import { NOTHING, remember, remembered } from '#src/data/remembered.ts'
import { href } from '#src/navigation/routes.ts'
import { createAccount, fillIn, showApp, useMockServer } from '#src/testing/show-app.tsx'
import { USERINFO } from '#src/testing/usual-replies.ts'

const server = useMockServer()

afterEach(() => remember(NOTHING))

it('an account is created from the input, with the mailed code and the inviter', async () => {
  server().answer(register, { userinfo: USERINFO })
  const { person } = await showApp(href('register', { inviter_id: '12' }), { stranger: true })
  await createAccount(person)
  await screen.findByRole('navigation', { name: 'Main screens' })
  expect(remembered()).toEqual({ username: null, device: 0 })
  expect(server().requestsOf(register)[0]?.input).toEqual({
    username: 'ann',
    email: 'ann@example.com',
    code: '123456',
    password: 'a long password',
    remember: false,
    adult: true,
    inviter_id: '12',
    group_id: 1,
  })
})

it('a new player is remembered on the device if he ticks it, and only where a page of the server asks', async () => {
  server().answer(register, { userinfo: USERINFO })
  const { person } = await showApp(href('register'), { stranger: true })
  await person.click(await screen.findByRole('checkbox', { name: 'Remember me' }))
  act(() => setLineAddresses(['https://line-1.example']))
  expect(screen.queryByRole('checkbox', { name: 'Remember me' })).toBeNull()
  act(() => setLineAddresses([]))
  await createAccount(person)
  await screen.findByRole('navigation', { name: 'Main screens' })
  expect(server().requestsOf(register)[0]?.input).toMatchObject({ remember: true })
  expect(remembered()).toEqual({ username: 'ann', device: 0 })
})

it('a mailed code can be sent again after sixty seconds, which are counted down', async () => {
  const { person } = await showApp(href('register'), { stranger: true })
  await fillIn(person, { Email: 'ann@example.com' })
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Send code' })
  vi.useFakeTimers({
    now: Date.now(),
    toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'],
  })
  fireEvent.click(button)
  while (button.textContent !== 'Again in 60 s') await act(() => new Promise(setImmediate))
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  await pass(59_000)
  expect([button.textContent, button.disabled]).toEqual(['Again in 1 s', true])
  await pass(999)
  expect(button.disabled).toBe(true)
  await pass(1)
  expect([button.textContent, button.disabled]).toEqual(['Send code', false])
  expect(server().inputsOf(sendCode)).toEqual([{ email: 'ann@example.com', event: 'register' }])
})

it('the server’s message about a field is under that field', async () => {
  server().refuse(register, {
    reason: 'username_taken',
    msg: 'This name is taken',
    data: { fields: { username: 'Choose another name' } },
  })
  const { person } = await showApp(href('register'), { stranger: true })
  await createAccount(person)
  await screen.findByText('Choose another name')
  expect(screen.getByLabelText('Username').getAttribute('aria-invalid')).toBe('true')
})
