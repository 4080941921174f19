/** The check of a round on the device, as a person sees it. */
import { chains, fairnessRound, logGrowth } from '@sum28/contract/fairness-routes.ts'
import { issueList } from '@sum28/contract/lottery-routes.ts'
import { type FullBetOnWire, fullBet, type PublishedRoundOnWire } from '@sum28/contract/receipt.ts'
import { fromHex } from '@sum28/fairness/hex.ts'
import { formatVerifierKey, signingKey } from '@sum28/fairness/signed-note.ts'
import { entriesTo, growthIn, logged, logKey, witnessKey } from '@sum28/fairness/testing/logged.ts'
import { publishedRound } from '@sum28/fairness/testing/published-round.ts'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { chainsQuery, publishedRoundQuery } from '#src/data/fairness.ts'
import { keepKeys } from '#src/data/kept-keys.ts'
import { queryClient } from '#src/data/query-client.ts'
import { href } from '#src/navigation/routes.ts'
import { CheckWorker } from '#src/testing/check-worker.ts'
import { wireResult } from '#src/testing/drawn-rounds.ts'
import { sampleOf } from '#src/testing/sample-of.ts'
import { showApp, useMockServer } from '#src/testing/show-app.tsx'
import { USERINFO } from '#src/testing/usual-replies.ts'

const server = useMockServer()

beforeEach(() => vi.stubGlobal('Worker', CheckWorker))
beforeEach(() => showLog(entriesTo(settled)))

const settled = publishedRound()
const { ends_at: endsAt, commitment } = settled

const sealed = {
  ...settled,
  status: 'sealed' as const,
  seed: null,
  digits: null,
  beacon: { ...settled.beacon, signature: null, randomness: null },
}
const voided = {
  ...sealed,
  status: 'voided' as const,
  void: { reason: 'beacon_late' as const, voided_at: endsAt + 600, digits: null },
}

const CHAIN = {
  id: 1,
  game_id: 1,
  length: 8,
  commitment,
  committed_at: endsAt - 86_400,
  used: 1,
}

/** What the house proves of the growth of its log. */
async function showLog(entries: string[]): Promise<void> {
  const growth = await growthIn(entries)
  server().answer(logGrowth, ({ input: { sizes } }) => ({ proofs: growth(sizes) }))
}

async function openRound(round: PublishedRoundOnWire) {
  server().answer(fairnessRound, round)
  return showApp(href('fairness', { game_id: '1', issue: round.issue }))
}

async function chainRow() {
  const title = await screen.findByText('The seed’s fingerprint is on record')
  return within(title.closest('li') as HTMLElement)
}

const NOT_ALL = 'Fits, but not all of it is shown'

it('says that everything fits only once the list of chains has come', async () => {
  server().answer(chains, [CHAIN])
  const release = server().hold(chains)
  await openRound(logged(settled))
  await screen.findByText('Checking on your device…', { selector: 'p' })
  // Of a region that comes with its text, a screen reader says nothing.
  const said = screen.getByText('Checking on your device…', { selector: '[aria-live]' })
  await expect.poll(() => server().requestsOf(chains)).toHaveLength(1)
  expect(screen.queryByText(NOT_ALL)).toBeNull()
  release()
  await screen.findByText('Everything fits')
  await expect
    .poll(() => said.textContent)
    .toMatch(/^Everything fits: \d+ checks made on this device, none failed/)
  expect((await chainRow()).getByText('Holds')).toBeTruthy()
})

it('says in the player’s language what became of the round, and why it was voided', async () => {
  server().answer(chains, [CHAIN])
  const show = async (round: PublishedRoundOnWire, words: string) => {
    cleanup()
    queryClient.clear()
    server().answer(fairnessRound, round)
    await showApp(href('fairness', { game_id: '1', issue: round.issue }), { locale: 'ja' })
    // As it was worked out, and as it is published.
    expect(await screen.findAllByText(words)).toHaveLength(2)
    for (const raw of ['settled', 'voided', 'beacon_late']) {
      expect(screen.queryByText(raw)).toBeNull()
    }
  }
  await show(logged(settled), '精算済み')
  await show(logged(voided), 'ビーコンの数が期限内に保存されず')
})

it('says that of a day with more than 480 rounds the newest can be chosen', async () => {
  const rounds = Array.from({ length: 600 }, (_, at) =>
    wireResult({ roundId: String(20_261_120_600 - at), digits: [7, 8, 0] }),
  )
  server().answer(issueList, ({ input }) => rounds.slice(0, input.limit ?? 480))
  await openRound(logged(settled))
  fireEvent.change(await screen.findByLabelText('Day'), { target: { value: '2026-11-20' } })
  const said = await screen.findByText('At most the newest 480 rounds of a day are listed.')
  expect(screen.getByLabelText('Round').getAttribute('aria-describedby')).toBe(said.id)
})

it('shows the list of chains as a step without a result if it cannot be loaded', async () => {
  server().refuse(chains, { reason: 'unavailable', msg: 'Please try later', code: 503 })
  await openRound(logged(settled))
  await screen.findByText(NOT_ALL)
  expect((await chainRow()).getByText('This could not be loaded')).toBeTruthy()
  expect(screen.queryByText('Everything fits')).toBeNull()
})

it('accuses nobody by a list of chains from before the round, and can check again', async () => {
  queryClient.setQueryData(chainsQuery.queryKey, [], { updatedAt: (endsAt - 60) * 1_000 })
  server().refuse(chains, { reason: 'unavailable', msg: 'Please try later', code: 503 })
  const { person } = await openRound(logged(settled))
  await screen.findByText(NOT_ALL)
  server().answer(chains, [CHAIN])
  await person.click(screen.getByRole('button', { name: 'Check again' }))
  await screen.findByText('Everything fits')
})

const housesOwn = signingKey('w.example/1', 'witness', fromHex('09'.repeat(32), 32))

it('says by which witnesses, and of a second log by a key of the house’s own that the key is new', async () => {
  server().answer(chains, [CHAIN])
  await openRound(logged(settled))
  await screen.findByText('Everything fits')
  expect(screen.getByText(/^Witness: w.example\/1. This name and this key come/)).toBeTruthy()
  cleanup()
  queryClient.clear()
  // It names the first key too, by which nothing is signed.
  const second = logged(settled, { by: [housesOwn] })
  const named = { ...second.log, keys: [...second.log.keys, formatVerifierKey(witnessKey)] }
  const { person } = await openRound({ ...second, log: named })
  await screen.findByText('Fits, by keys that are new here')
  expect(screen.getByText(/^New keys since/)).toBeTruthy()
  await person.click(screen.getByRole('button', { name: 'They are the same: trust them' }))
  await screen.findByText('Everything fits')
  expect(screen.queryByText(/^New keys since/)).toBeNull()
})

it('takes a new witness beside a known one for no new key', async () => {
  server().answer(chains, [CHAIN])
  keepKeys([witnessKey, logKey].map((key) => `${key.type} ${formatVerifierKey(key)}`))
  await openRound(logged(settled, { by: [housesOwn, witnessKey] }))
  await screen.findByText('Everything fits')
})

it('says of a void that no signed log shows that it is not all shown', async () => {
  server().answer(chains, [CHAIN])
  const shown = logged(voided)
  vi.setSystemTime((endsAt + 1_200) * 1_000)
  await openRound({ ...shown, log: { ...shown.log, end: null } })
  await screen.findByText(NOT_ALL)
  expect(screen.queryByText('Voided round')).toBeNull()
  vi.setSystemTime((endsAt + 1_201) * 1_000)
  await openAgain({ ...shown, log: { ...shown.log, end: null } })
  await screen.findByText('Something does not fit')
})

const GROWN = 'The log only grew'

async function growthRow() {
  const title = await screen.findByText(GROWN)
  return within(title.closest('li') as HTMLElement)
}

/** Leaves the page, and shows a round to the same device again. */
async function openAgain(round: PublishedRoundOnWire): Promise<void> {
  cleanup()
  queryClient.clear()
  await openRound(round)
}

const MORE = ['sum28/1 returns\nday=3\n', 'sum28/1 returns\nday=4\n']
/** A later state of the log than that of the sealed round: its end came after other entries. */
const drawnLater = logged(settled, { arrange: (own) => [...own, ...MORE] })
const [draw_ = ''] = entriesTo(settled).slice(-1)
const LATER = [...entriesTo(settled).slice(0, -1), ...MORE, draw_]

const sizesAsked = () =>
  server()
    .inputsOf(logGrowth)
    .map((input) => input.sizes)

/** Shows the sealed round, and then its draw, to a device that keeps the greater state. */
async function keepState(): Promise<void> {
  server().answer(chains, [CHAIN])
  vi.setSystemTime((endsAt - 10) * 1_000)
  await openRound(logged(sealed))
  await screen.findByText('Not drawn yet')
  await showLog(LATER)
  await openAgain(drawnLater)
  await screen.findByText('Everything fits')
}

it('compares the log with the last state that this device saw, by one call', async () => {
  await keepState()
  expect(sizesAsked()).toEqual([[5, 7, 8]])
  expect((await growthRow()).getByText('Holds')).toBeTruthy()
})

it.each<[string, () => void]>([
  ['another history', () => {}],
  [
    'fewer entries than before',
    () => server().refuse(logGrowth, { reason: 'not_found', msg: 'Not found', code: 404 }),
  ],
])('tells a log that was begun anew under the same keys: it has %s', async (_, begin) => {
  await keepState()
  begin()
  await openAgain(logged(settled))
  await screen.findByText('Something does not fit')
  expect(sizesAsked().at(-1)).toEqual([5, 6, 8])
  const row = await growthRow()
  expect(row.getByText('Does not hold')).toBeTruthy()
  expect(row.getByText(/^8 · /)).toBeTruthy()
})

it('accuses nobody when the proof cannot be fetched, and asks for it again', async () => {
  await keepState()
  server().cutOff(logGrowth)
  await openAgain(drawnLater)
  await screen.findByText(NOT_ALL)
  const row = await growthRow()
  expect(row.getByText('This could not be loaded')).toBeTruthy()
  await showLog(LATER)
  await userEvent.click(screen.getByRole('button', { name: 'Check again' }))
  await screen.findByText('Everything fits')
})

it('takes another log only from a person who trusts its keys, and then keeps that one', async () => {
  await keepState()
  const key = signingKey('house.example/tlog/2', 'log', fromHex('08'.repeat(32), 32))
  const anew = { before: ['sum28/1 returns\nday=9\n'], key }
  await showLog(entriesTo(settled, anew.before))
  await openAgain(logged(settled, anew))
  await screen.findByText('Something does not fit')
  await userEvent.click(screen.getByRole('button', { name: 'They are the same: trust them' }))
  await screen.findByText('Everything fits')
  await openAgain(drawnLater)
  await screen.findByText('Something does not fit')
})

/** Opens the page as a bet's page does, with the receipt of a player's bet. */
async function sendReceipt(of: number): Promise<void> {
  const receipt = sampleOf(fullBet) as FullBetOnWire
  const proof = { ...receipt.proof, ...logged(settled) }
  const state = { receipt: { ...receipt, proof }, of: String(of) }
  history.pushState({ key: 'checked', state }, '', href('fairness'))
  await act(async () => void window.dispatchEvent(new PopStateEvent('popstate')))
  await screen.findByRole('heading', { name: 'Check for yourself' })
}

it('compares a receipt with nothing that was fetched of its round before, also where no reply comes', async () => {
  await showApp(href('rules'))
  const { game_id: gameId, issue: roundId } = settled
  const { queryKey } = publishedRoundQuery({ gameId, roundId })
  queryClient.setQueryData(queryKey, logged(sealed), { updatedAt: Date.now() - 1_000 })
  server().cutOff(fairnessRound)
  await sendReceipt(USERINFO.user_id)
  await screen.findByText(/^The public record could not be reached/)
  const compared = 'The receipt agrees with the record'
  expect(screen.queryByText(compared)).toBeNull()
  for (const [round, words] of [
    [logged(settled), 'Holds'],
    [logged(sealed), 'Does not hold'],
  ] as const) {
    server().answer(fairnessRound, round)
    await act(() => queryClient.refetchQueries({ queryKey }))
    const row = (await screen.findByText(compared)).closest('li') as HTMLElement
    expect(await within(row).findByText(words)).toBeTruthy()
  }
})

it.each([
  ['its player', false, USERINFO.user_id, true],
  ['another player', false, 8, false],
  ['a stranger', true, USERINFO.user_id, false],
])(
  'the receipt that a bet’s page left in the history is shown to its player alone: %s',
  async (_, stranger, of, isShown) => {
    await showApp(href('rules'), { stranger })
    server().answer(fairnessRound, logged(settled))
    await sendReceipt(of)
    expect(screen.queryAllByRole('button', { name: 'Check another receipt' })).toHaveLength(
      Number(isShown),
    )
  },
)
