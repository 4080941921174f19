import {
  confirmLimit,
  protectionState,
  setLimit,
  setRealityCheck,
} from '@sum28/contract/protection-routes.ts'
import { MICRO } from '@sum28/domain/money.ts'
import { act, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { enter, signOut } from '#src/data/session.ts'
import { href } from '#src/navigation/routes.ts'
import { fillIn, showApp, useMockServer } from '#src/testing/show-app.tsx'
import {
  type LimitReply,
  type ProtectionReply,
  protectionReply,
  USERINFO,
  wireTime,
} from '#src/testing/usual-replies.ts'

const server = useMockServer()

const HOUR_MS = 3_600_000

const OF_100 = {
  kind: 'stake',
  period: 'day',
  own: '100.00',
  amount: '100.00',
  by: 'player',
  used: '20.00',
  left: '80.00',
} as const satisfies Partial<LimitReply>

/** Opens the sheet of a limit, found by its row among those of its kind. */
async function openLimit(
  limits: (Pick<LimitReply, 'kind' | 'period'> & Partial<LimitReply>)[] = [],
  exclusion: ProtectionReply['exclusion'] = null,
) {
  server().answer(protectionState, protectionReply({ limits, exclusion }))
  const { person } = await showApp(href('limits'))
  const rows = await screen.findAllByRole('button', { name: /^Day/ })
  const row = rows.at(-1)
  if (!row) throw new Error('there is no limit')
  await person.click(row)
  const sheet = within(await screen.findByRole('dialog', { name: 'Daily stake limit' }))
  /** Types an amount, and sends it. */
  const enterAmount = async (amount: string) => {
    await fillIn(person, { 'Your limit': amount })
    await person.click(sheet.getByRole('button', { name: 'Set limit' }))
  }
  return { person, row, sheet, enterAmount }
}

it('what is no amount is said once: with the field, to which the focus goes, or if it is there already as an alert', async () => {
  const { person, sheet } = await openLimit()
  const field = sheet.getByLabelText('Your limit')
  await person.type(field, 'abc')
  await person.click(sheet.getByRole('button', { name: 'Set limit' }))
  expect(document.activeElement).toBe(field)
  const fault = document.getElementById(field.getAttribute('aria-describedby') ?? '')
  expect(fault?.className).toBe('fault')
  expect(sheet.queryByRole('alert')).toBeNull()
  await person.type(field, 'd{Enter}')
  expect(sheet.getByRole('alert').textContent).toBe(fault?.textContent)
})

it('nine limits are shown, three of each kind, each with its own values', async () => {
  const names = (['deposit', 'loss', 'stake'] as const).flatMap((kind) =>
    (['day', 'week', 'month'] as const).map((period) => ({ kind, period })),
  )
  const limits = names.map((name, at) => {
    const amount = `${at + 1}00.00`
    const by = (['player', 'operator', 'law'] as const)[at % 3] ?? 'player'
    return { ...name, own: amount, amount, by, left: `${at + 1}1.00` }
  })
  server().answer(protectionState, protectionReply({ limits }))
  await showApp(href('limits'))
  const rows = await screen.findAllByRole('button', { name: /^(Day|Week|Month)/ })
  const inOrder = names.map(({ period }) => `${period[0]?.toUpperCase()}${period.slice(1)}`)
  expect(rows).toHaveLength(9)
  for (const [at, row] of rows.entries()) {
    const author = ['Set by you', 'Set by the operator', 'Set by law'][at % 3]
    for (const words of [inOrder[at], `${at + 1}00.00`, author, `${at + 1}1.00\u00a0u left`]) {
      expect(row.textContent).toContain(words)
    }
    expect(row.textContent).toContain('resets Mon, Nov 23')
  }
  const headings = ['Deposit limit', 'Loss limit', 'Stake limit']
  for (const name of headings) expect(screen.getByRole('heading', { name })).toBeTruthy()
})

it.each([
  ['20.00', '80.00', '20%'],
  ['-92.00', '192.00', '0%'],
  ['100.00', '0.00', '100%'],
])('of a limit of 100 with %s used, a bar of the share is filled', async (used, left, share) => {
  const { row } = await openLimit([{ ...OF_100, used, left }])
  const bar = row.querySelector<HTMLElement>('[aria-hidden] > span')
  expect(bar?.style.width).toBe(share)
})

it('a limit is set to the typed amount, and the field is empty at first', async () => {
  server().answer(setLimit, { outcome: 'lowered' })
  const { person, sheet, enterAmount } = await openLimit([OF_100])
  expect(sheet.getByText('Used').parentElement?.textContent).toContain('20.00')
  expect(sheet.getByLabelText<HTMLInputElement>('Your limit').value).toBe('')
  await person.click(sheet.getByRole('button', { name: 'Set limit' }))
  await sheet.findByText('Please enter an amount')
  expect(server().requestsOf(setLimit)).toEqual([])
  await enterAmount('50')
  await screen.findByText('Daily stake limit · Your limit is set')
  const sent = { kind: 'stake', period: 'day', money: 50n * MICRO }
  expect(server().inputsOf(setLimit)).toEqual([sent])
})

it('a change that ends late closes no sheet but its own, and keeps no other limit from being set', async () => {
  server().answer(setLimit, { outcome: 'lowered' })
  const answer = server().hold(setLimit)
  const { person, row, enterAmount } = await openLimit()
  await enterAmount('500')
  await person.keyboard('{Escape}')
  const another = (await screen.findAllByRole('button', { name: /^Week/ })).at(-1) as HTMLElement
  await person.click(another)
  const next = within(await screen.findByRole('dialog', { name: 'Weekly stake limit' }))
  await fillIn(person, { 'Your limit': '300' })
  const set = next.getByRole('button', { name: 'Set limit' })
  expect(set.getAttribute('aria-busy')).toBe(null)
  answer()
  await screen.findByText('Daily stake limit · Your limit is set')
  const typed = () => next.getByLabelText<HTMLInputElement>('Your limit').value
  expect(typed()).toBe('300')
  await person.click(set)
  await screen.findByText('Weekly stake limit · Your limit is set')
  expect(
    server()
      .inputsOf(setLimit)
      .map((input) => [input.period, input.money]),
  ).toEqual([
    ['day', 500n * MICRO],
    ['week', 300n * MICRO],
  ])
  await person.click(row)
  await screen.findByRole('dialog', { name: 'Daily stake limit' })
})

it('a change that ends late leaves its own sheet open, if that was opened again', async () => {
  server().answer(setLimit, { outcome: 'lowered' })
  const answer = server().hold(setLimit)
  const { person, row, enterAmount } = await openLimit()
  await enterAmount('500')
  await person.keyboard('{Escape}')
  await person.click(row)
  const again = within(await screen.findByRole('dialog', { name: 'Daily stake limit' }))
  await fillIn(person, { 'Your limit': '300' })
  expect(again.getByRole('button', { name: 'Set limit' }).getAttribute('aria-busy')).toBe('true')
  answer()
  await screen.findByText('Daily stake limit · Your limit is set')
  expect(again.getByLabelText<HTMLInputElement>('Your limit').value).toBe('300')
})

it('a higher limit is requested, and the form shows that it is not in force yet', async () => {
  server().answer(setLimit, { outcome: 'raise_asked' })
  const { person, sheet } = await openLimit([OF_100])
  await fillIn(person, { 'Your limit': '100.01' })
  expect(sheet.getByText(/^This is higher than now/)).toBeTruthy()
  await person.click(sheet.getByRole('button', { name: 'Ask for the higher limit' }))
  await screen.findByText(/^Daily stake limit · Asked for. You can confirm it from/)
})

it('a limit is removed after a question, which names the time of confirmation', async () => {
  server().answer(setLimit, { outcome: 'raise_asked' })
  const { person, sheet } = await openLimit([OF_100])
  await person.click(sheet.getByRole('button', { name: 'Remove limit' }))
  const question = within(await screen.findByRole('alertdialog', { name: 'Remove this limit?' }))
  expect(question.getByText(/Until then the limit holds/)).toBeTruthy()
  await person.click(question.getByRole('button', { name: 'Remove limit' }))
  await expect.poll(() => server().requestsOf(setLimit)).toHaveLength(1)
  expect(server().requestsOf(setLimit)[0]?.input).toEqual({ kind: 'stake', period: 'day' })
})

/** A higher limit whose time begins so many hours from now. */
function raise(hoursFromNow: number): LimitReply['raise'] {
  const from = wireTime(Date.now() + hoursFromNow * HOUR_MS)
  return { own: '200.00', from, until: from + 7 * 24 * 3_600 }
}

it('a pending higher limit cannot be confirmed before its time, and can be cancelled', async () => {
  server().answer(setLimit, { outcome: 'same' })
  const { person, sheet } = await openLimit([{ ...OF_100, raise: raise(1) }])
  expect(sheet.getByText('Higher limit asked for: 200.00 u')).toBeTruthy()
  expect(sheet.queryByRole('button', { name: 'Confirm' })).toBe(null)
  await person.click(sheet.getByRole('button', { name: 'Keep the present limit' }))
  await screen.findByText('Daily stake limit · The limit stays as it is')
  expect(server().requestsOf(setLimit)[0]?.input).toMatchObject({ money: 100n * MICRO })
})

it('a higher limit can be confirmed from its time on', async () => {
  const { person, sheet } = await openLimit([{ ...OF_100, raise: raise(-1) }])
  await person.click(sheet.getByRole('button', { name: 'Confirm' }))
  await screen.findByText('Daily stake limit · The change is in force now')
  expect(server().requestsOf(confirmLimit)[0]?.input).toEqual({ kind: 'stake', period: 'day' })
})

it('a higher limit whose time has passed is not shown', async () => {
  const { sheet } = await openLimit([{ ...OF_100, raise: raise(-8 * 24) }])
  expect(sheet.queryByText(/^Higher limit asked for/)).toBe(null)
  expect(sheet.queryByRole('button', { name: 'Confirm' })).toBe(null)
})

it('a limit of the law is shown beside the player’s own', async () => {
  const { row, sheet } = await openLimit([{ ...OF_100, own: '500.00', by: 'law' }])
  expect(row.textContent).toContain('Set by law')
  expect(sheet.getByText('Your own limit').parentElement?.textContent).toContain('500.00')
  expect(sheet.getByText(/^The lowest limit counts/)).toBeTruthy()
})

async function showCheck() {
  server().answer(protectionState, protectionReply({ check_minutes: 120 }))
  const { person } = await showApp(href('limits'))
  const choose = async (minutes: number) =>
    person.click(await screen.findByRole('radio', { name: `${minutes} minutes` }))
  return { choose, sent: () => server().inputsOf(setRealityCheck) }
}

it('the interval of the reality check is the present one, and can be changed', async () => {
  const { choose, sent } = await showCheck()
  await screen.findByRole('radio', { name: '120 minutes', checked: true })
  await choose(15)
  await screen.findByText('Saved')
  expect(sent()).toEqual([{ minutes: 15 }])
})

it('of two intervals that are chosen at once, the last one is set last', async () => {
  const comes = server().hold(setRealityCheck)
  const { choose, sent } = await showCheck()
  await choose(60)
  await expect.poll(sent).toHaveLength(1)
  await choose(15)
  await screen.findByRole('radio', { name: '15 minutes', checked: true })
  expect(sent()).toHaveLength(1)
  comes()
  await expect.poll(sent).toEqual([{ minutes: 60 }, { minutes: 15 }])
})

it('an interval that waits for an earlier one is set for no player who comes after', async () => {
  const comes = server().hold(setRealityCheck)
  const { choose, sent } = await showCheck()
  await choose(60)
  await choose(15)
  await screen.findByRole('radio', { name: '15 minutes', checked: true })
  act(() => signOut())
  act(() => enter({ ...USERINFO, user_id: 8, token: 'token-of-bob' }, {}))
  await act(async () => comes())
  // Choices are sent one after another: one of the player before would be sent first.
  await choose(30)
  await expect.poll(() => sent()[1]).toEqual({ minutes: 30 })
})

it('during a break no higher limit waits to be confirmed, and one that is asked for names no time', async () => {
  const exclusion = { kind: 'time_out', until: 4_000_000_000, may_ask_from: null } as const
  const { person, row } = await openLimit([{ ...OF_100, raise: raise(-1) }], exclusion)
  expect(row.textContent).not.toContain('Ready to confirm')
  await screen.findByText(/^It cannot be confirmed during your break/)
  expect(screen.queryByRole('button', { name: 'Confirm' })).toBe(null)
  expect(screen.getByRole('button', { name: 'Keep the present limit' })).toBeTruthy()
  await fillIn(person, { 'Your limit': '300' })
  expect(screen.getAllByText(/^It cannot be confirmed during your break/)).toHaveLength(2)
  expect(screen.queryByText(/You can confirm it from/)).toBe(null)
})
