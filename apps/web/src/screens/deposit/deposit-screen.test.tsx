import { recharge } from '@sum28/contract/money-routes.ts'
import { askBack, protectionState } from '@sum28/contract/protection-routes.ts'
import type { ReplyOf } from '@sum28/contract/route.ts'
import { userInfo } from '@sum28/contract/user-routes.ts'
import { screen, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { depositQuery, type Transfer } from '#src/data/deposit.ts'
import { queryClient } from '#src/data/query-client.ts'
import { href } from '#src/navigation/routes.ts'
import { keyedTransfers, newlyCredited } from '#src/screens/deposit/transfers.tsx'
import { showApp, useMockServer } from '#src/testing/show-app.tsx'
import { PROFILE, protectionReply } from '#src/testing/usual-replies.ts'

const server = useMockServer()

const DEPOSIT = href('deposit', { group_id: '1' })
const INFO: ReplyOf<typeof recharge> = {
  money: '5.00',
  held: '0.00',
  version: '1',
  usdt: 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH',
  transfers: [],
}
const ARRIVED = { tx_id: 'ab12', quantity: '5.00', status: 'credited', createtime: 0 } as const

it('a deposit limit shows its rest, and that a greater deposit is held', async () => {
  server().answer(recharge, INFO)
  server().answer(
    protectionState,
    protectionReply({
      limits: [
        { kind: 'deposit', period: 'week', own: '100.00', left: '60.00' },
        { kind: 'stake', period: 'day', own: '1.00', left: '1.00' },
      ],
    }),
  )
  await showApp(DEPOSIT)
  await screen.findByText('Weekly deposit limit: 60.00 u left')
  expect(screen.getByText(/is held for you until the limit allows it, or paid back/)).toBeTruthy()
  expect(screen.queryByText('Would you like a deposit limit?')).toBe(null)
})

function held(id: number, quantity: string, because: 'limit' | 'excluded', asked_back = false) {
  return { id, quantity, because, createtime: 1_795_000_000, asked_back }
}

it('held deposits are listed, each with its reason', async () => {
  server().answer(recharge, { ...INFO, transfers: [ARRIVED] })
  const both = [held(2, '40.00', 'limit'), held(1, '7.00', 'excluded')]
  server().answer(protectionState, protectionReply({ held: both }))
  await showApp(DEPOSIT)
  const beyond = await screen.findByText('Beyond your deposit limit')
  expect(beyond.closest('li')?.textContent).toContain('40.00')
  const during = screen.getByText('Arrived during your break')
  expect(during.closest('li')?.textContent).toContain('7.00')
})

it('no way to deposit is shown before it is known that the player is on no break', async () => {
  server().answer(recharge, INFO)
  server().refuse(protectionState, { reason: 'unavailable', msg: 'Please try again later' })
  const { person } = await showApp(DEPOSIT)
  await screen.findByText('Please try again later')
  expect(server().requestsOf(recharge)).toHaveLength(1)
  expect(screen.queryByText('USDT deposit')).toBe(null)
  const exclusion = { kind: 'time_out', until: 1_800_000_000, may_ask_from: null } as const
  const of_break = protectionReply({ exclusion, held: [held(1, '7.00', 'excluded')] })
  server().answer(protectionState, of_break)
  await person.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText('Arrived during your break')
  expect(screen.queryByText('USDT deposit')).toBe(null)
})

it('without a way to deposit, the deposits that are held or were made are found', async () => {
  const { usdt: _, ...without } = INFO
  server().answer(recharge, { ...without, transfers: [ARRIVED] })
  server().answer(protectionState, protectionReply({ held: [held(2, '40.00', 'limit')] }))
  const { person } = await showApp(href('me'))
  await person.click(await screen.findByRole('button', { name: 'Deposit' }))
  await screen.findByText('Deposits are not available at the moment')
  await person.click(screen.getByText('Deposit by yourself'))
  await screen.findByText('Beyond your deposit limit')
  screen.getByText('In your balance')
})

it('before the first deposit a limit is offered once, with two equal answers', async () => {
  server().answer(recharge, INFO)
  server().answer(protectionState, protectionReply())
  const { person } = await showApp(DEPOSIT)
  const offer = within(
    await screen.findByRole('region', { name: 'Would you like a deposit limit?' }),
  )
  const [set, skip] = [
    offer.getByRole('link', { name: 'Set limits' }),
    offer.getByRole('button', { name: 'Not now' }),
  ]
  expect(skip.className).toContain(set.className)
  await person.click(skip)
  expect(screen.queryByRole('region')).toBe(null)
})

it('after the first deposit no limit is offered', async () => {
  server().answer(recharge, { ...INFO, transfers: [ARRIVED] })
  server().answer(protectionState, protectionReply())
  await showApp(DEPOSIT)
  await screen.findByText('In your balance')
  expect(screen.queryByText('Would you like a deposit limit?')).toBe(null)
})

it('of two balances the later one is shown', async () => {
  server().answer(recharge, INFO)
  server().answer(userInfo, { ...PROFILE, money: '77.25', version: '2' })
  await showApp(DEPOSIT)
  await screen.findByText('77.25')
})

it('a transfer shows its confirmations, is said aloud, and once credited leads to the rooms', async () => {
  const on = { tx_id: 'ab12', quantity: '5.00', createtime: 1_795_000_000 }
  const seen = { ...on, status: 'seen' as const, confirmations: 3, confirmations_needed: 19 }
  server().answer(recharge, { ...INFO, transfers: [seen] })
  await showApp(DEPOSIT)
  await screen.findByText('3 of about 19 blocks')
  const steps = ['On its way', 'Confirmed by the network', 'In your balance']
  const read = steps.map((step) => screen.getByText(step).textContent)
  // The second is the present one, which its list says.
  expect(read).toEqual([steps[0], steps[1], `${steps[2]} (not yet)`])
  const said = () => screen.getAllByRole('status').map(({ textContent }) => textContent)
  expect(said()).toContain('Transfer of 5.00\u00a0u: On its way.')
  expect(screen.queryByRole('link', { name: 'To the rooms' })).toBe(null)
  server().answer(recharge, { ...INFO, transfers: [{ ...on, status: 'credited' }] })
  await queryClient.refetchQueries({ queryKey: depositQuery.queryKey })
  const link = await screen.findByRole('link', { name: 'To the rooms' })
  expect(link.getAttribute('href')).toBe(href('hall'))
  expect(said().join()).toContain('5.00\u00a0u have arrived')
})

it('the whole number of a transfer’s transaction can be copied', async () => {
  const tx_id = '0123456789abcdef'.repeat(4)
  server().answer(recharge, { ...INFO, transfers: [{ ...ARRIVED, tx_id }] })
  const { person } = await showApp(DEPOSIT)
  vi.stubGlobal('isSecureContext', true)
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await person.click(await screen.findByRole('button', { name: 'Copy the reference' }))
  await screen.findByText('Copied')
  expect(copied).toHaveBeenCalledWith(tx_id)
  vi.unstubAllGlobals()
  copied.mockRestore()
})

it('total assets have what is set aside, and say how much it is', async () => {
  server().answer(recharge, { ...INFO, held: '20.00', version: '9' })
  await showApp(DEPOSIT)
  await screen.findByText('20.00 u of it set aside')
  await screen.findByText('25.00')
})

const transfer = (status: Transfer['status'], transactionId: string, amount = 1n): Transfer => ({
  transactionId,
  amount,
  status,
  createdAt: 1_790_000_000_000,
  confirmations: null,
})
const seen = (id: string) => transfer('seen', id)
const credited = (id: string) => transfer('credited', id)

it('finds the transfers that were credited since the last reply', () => {
  const before = [seen('b'), credited('a')]
  // One was seen before; another one arrived between two looks.
  const after = [seen('d'), credited('c'), credited('b'), credited('a')]
  expect(newlyCredited(before, after).map(({ transactionId }) => transactionId)).toEqual(['c', 'b'])
  expect(newlyCredited(after, after)).toEqual([])
})

it('distinguishes several transfers of one transaction', () => {
  const before = [transfer('solid', 'a', 1n), transfer('solid', 'a', 2n)]
  const after = [transfer('credited', 'a', 1n), transfer('credited', 'a', 2n)]
  expect(keyedTransfers(after).map(({ key }) => key)).toEqual(['a:0', 'a:1'])
  expect(newlyCredited(before, after).map(({ amount }) => amount)).toEqual([1n, 2n])
})

it('a held deposit is asked back once, after a question', async () => {
  server().answer(recharge, { ...INFO, transfers: [ARRIVED] })
  const answer = (asked: boolean) =>
    server().answer(
      protectionState,
      // To pay dust back costs more than it.
      protectionReply({ held: [held(2, '40.00', 'limit', asked), held(1, '0.99', 'limit')] }),
    )
  answer(false)
  server().answer(askBack, () => {
    answer(true)
    return null
  })
  const { person } = await showApp(DEPOSIT)
  await person.click(await screen.findByRole('button', { name: 'Have it paid back' }))
  const question = within(await screen.findByRole('alertdialog'))
  expect(question.getByText(/40.00 u go back to where they came from/)).toBeTruthy()
  await person.click(question.getByRole('button', { name: 'Have it paid back' }))
  await screen.findByText(/^It will be paid back/, { selector: 'p' })
  await screen.findByText(/^It will be paid back/, { selector: '[role=status] *' })
  expect(server().inputsOf(askBack)).toEqual([{ id: 2 }])
  expect(screen.queryByRole('button', { name: 'Have it paid back' })).toBe(null)
})
