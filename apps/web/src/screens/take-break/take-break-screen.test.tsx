import { recharge } from '@sum28/contract/money-routes.ts'
import { askReturn, protectionState, takeBreak } from '@sum28/contract/protection-routes.ts'
import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { href } from '#src/navigation/routes.ts'
import { endOfBreak, lengthText } from '#src/screens/take-break/take-break-screen.tsx'
import { showApp, useMockServer } from '#src/testing/show-app.tsx'
import { type ProtectionReply, protectionReply, wireTime } from '#src/testing/usual-replies.ts'

const server = useMockServer()

const DEPOSIT = {
  money: '5.00',
  held: '0.00',
  version: '1',
  usdt: 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH',
  transfers: [],
}

const DAY_MS = 86_400_000

/** In the operator's time zone. */
function yearOf(at: number): string {
  return new Intl.DateTimeFormat('en', { timeZone: 'Asia/Singapore', year: 'numeric' }).format(at)
}

function onBreak(exclusion: ProtectionReply['exclusion']) {
  server().answer(protectionState, protectionReply({ exclusion }))
}

/** Self-excluded; he may ask to return after so many days. */
function excluded(days: number) {
  const may_ask_from = wireTime(Date.now() + days * DAY_MS)
  onBreak({ kind: 'self_exclusion', until: null, may_ask_from })
}

it('no length of a break is preselected, and nothing begins without one', async () => {
  server().answer(protectionState, protectionReply())
  await showApp(href('takeBreak'))
  const lengths = await screen.findAllByRole('radio')
  expect(lengths).toHaveLength(11)
  expect(screen.queryAllByRole('radio', { checked: true })).toEqual([])
  for (const button of screen.getAllByRole<HTMLButtonElement>('button', { name: 'Continue' })) {
    expect(button.disabled).toBe(true)
  }
})

it.each([
  ['1 week', 'Begin this time-out?', 'Begin', { hours: 168 }],
  ['5 years', 'Exclude yourself?', 'Exclude me', { months: 60 }],
])(
  'a break of %s begins after a question that names its end and what stops',
  async (length, title, confirm, sent) => {
    server().answer(protectionState, protectionReply())
    const { person } = await showApp(href('takeBreak'))
    await person.click(await screen.findByRole('radio', { name: length }))
    const ready = screen
      .getAllByRole<HTMLButtonElement>('button', { name: 'Continue' })
      .find(({ disabled }) => !disabled)
    await person.click(ready as HTMLElement)
    const question = within(await screen.findByRole('alertdialog', { name: title }))
    const end = yearOf(endOfBreak(sent, Date.now()))
    expect(question.getByText(new RegExp(`${end}, \\d\\d:\\d\\d$`))).toBeTruthy()
    expect(question.getByText('What stops')).toBeTruthy()
    expect(question.getByText('What stays open')).toBeTruthy()
    expect(server().requestsOf(takeBreak)).toEqual([])
    await person.click(question.getByRole('button', { name: confirm }))
    await screen.findByText('Your break has begun')
    expect(server().inputsOf(takeBreak)).toEqual([sent])
  },
)

it('a break shows its end, and only a longer one can be begun', async () => {
  onBreak({ kind: 'time_out', until: 1_795_363_200, may_ask_from: null })
  await showApp(href('takeBreak'))
  await screen.findByText('Your time-out ends on Nov 23, 2026, 00:00, by itself.')
  expect(screen.getByText('You can make the break longer, not shorter.')).toBeTruthy()
})

async function lengthsShown(): Promise<(string | undefined)[]> {
  const lengths = await screen.findAllByRole('radio')
  return lengths.map((length) => length.closest('label')?.textContent)
}

it('during a time-out only those time-outs are offered that end after it, and every self-exclusion', async () => {
  onBreak({
    kind: 'time_out',
    until: wireTime(Date.now() + 10 * DAY_MS),
    may_ask_from: null,
  })
  await showApp(href('takeBreak'))
  expect(await lengthsShown()).toEqual([
    ...['2 weeks', '4 weeks', '6 weeks'],
    ...['6 months', '1 year', '2 years', '3 years', '5 years'],
  ])
})

it('during a self-exclusion only those are offered that end after it, and no time-out', async () => {
  excluded(800)
  await showApp(href('takeBreak'))
  expect(await lengthsShown()).toEqual(['3 years', '5 years'])
})

it('a self-exclusion of the greatest length offers neither a longer one nor a way back', async () => {
  excluded(2_000)
  await showApp(href('takeBreak'))
  await screen.findByText(/^Your self-exclusion lasts until/)
  expect(screen.queryAllByRole('radio')).toEqual([])
  expect(screen.queryByText('You can make the break longer, not shorter.')).toBe(null)
  expect(screen.queryByRole('button', { name: 'Ask to end self-exclusion' })).toBe(null)
})

it('the note of a self-exclusion names no end, because it has no end date', async () => {
  excluded(1)
  server().answer(recharge, DEPOSIT)
  await showApp(href('deposit', { group_id: '1' }))
  await screen.findByText(/^Betting and depositing are closed\. Withdrawing stays open\./)
})

it('after its end the player requests to return, and confirms it', async () => {
  excluded(-1)
  const { person } = await showApp(href('takeBreak'))
  await person.click(await screen.findByRole('button', { name: 'Ask to end self-exclusion' }))
  const question = within(
    await screen.findByRole('alertdialog', { name: 'End your self-exclusion?' }),
  )
  expect(server().requestsOf(askReturn)).toEqual([])
  await person.click(question.getByRole('button', { name: 'Ask to end self-exclusion' }))
  await screen.findByText('Asked for. The break ends in 24 hours at the earliest.')
})

it.each([
  ['likeness', /^Your account resembles/],
  ['under_age', /^By the date of birth that you sent/],
] as const)(
  'an account that staff hold (%s) may take a break, and not end the hold',
  async (kind, words) => {
    onBreak({ kind, until: null, may_ask_from: null })
    await showApp(href('takeBreak'))
    await screen.findByText(words)
    expect(screen.queryAllByRole('radio')).toHaveLength(11)
    expect(screen.queryByText('You can make the break longer, not shorter.')).toBe(null)
    expect(screen.queryByRole('button', { name: 'Ask to end self-exclusion' })).toBe(null)
  },
)

it('during a break the deposit screen names its end in place of an address', async () => {
  onBreak({ kind: 'time_out', until: 1_795_363_200, may_ask_from: null })
  server().answer(recharge, DEPOSIT)
  await showApp(href('deposit', { group_id: '1' }))
  await screen.findByText(/closed until Nov 23, 2026, 00:00/)
  expect(screen.queryByText('Your own deposit address')).toBe(null)
})

it('a review by staff is not called a break', async () => {
  onBreak({ kind: 'likeness', until: null, may_ask_from: null })
  server().answer(recharge, DEPOSIT)
  await showApp(href('deposit', { group_id: '1' }))
  await screen.findByText('Your account is restricted')
  await screen.findByText(/^Your account resembles another, so our staff hold it/)
  expect(screen.queryByText('You are on a break')).toBeNull()
})

it.each([
  [{ hours: 24 }, 'en', '24 hours'],
  [{ hours: 168 }, 'en', '1 week'],
  [{ hours: 1008 }, 'vi', '6 tuần'],
  [{ months: 6 }, 'en', '6 months'],
  [{ months: 12 }, 'en', '1 year'],
  [{ months: 60 }, 'zh-CN', '5 年'],
  [{ months: 6 }, 'ja', '6か月'],
])('the length %o is written in %s as %s', (length, tag, text) => {
  expect(lengthText(length, tag)).toBe(text)
})

it.each([
  [{ hours: 24 }, '2026-11-22T10:30:00Z', '2026-11-23T10:30:00Z'],
  [{ hours: 1008 }, '2026-11-22T10:30:00Z', '2027-01-03T10:30:00Z'],
  [{ months: 6 }, '2026-11-22T10:30:00Z', '2027-05-22T10:30:00Z'],
  [{ months: 6 }, '2026-08-31T10:30:00Z', '2027-02-28T10:30:00Z'],
  [{ months: 60 }, '2026-11-22T10:30:00Z', '2031-11-22T10:30:00Z'],
])('a break of %o from %s ends at %s', (length, from, end) => {
  expect(endOfBreak(length, Date.parse(from))).toBe(Date.parse(end))
})
