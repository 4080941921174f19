import { readReserves } from '@sum28/contract/staff-reserve-routes.ts'
import { startFigures } from '@sum28/contract/staff-start-routes.ts'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sample, showConsole } from '#src/testing/show-console.tsx'
import { runningFigures } from './charts.tsx'
import { percent, returnBand } from './return-band.ts'

it('the figures of a day’s hours are summed: variances, not deviations', () => {
  const hour = {
    turnover: '100.00',
    payouts: '90.00',
    expected: '96.00',
    deviation: '3.00',
    bets: 1,
  }
  expect(runningFigures([hour, { ...hour, deviation: '4.00' }])).toEqual([
    { turnover: 100, payouts: 90, expected: 96, variance: 9 },
    { turnover: 200, payouts: 180, expected: 192, variance: 25 },
  ])
})

const figures = { turnover: '1000.00', expected: '950.00', deviation: '100.00', bets: 10 }

describe('the return and its band', () => {
  it('are shares of the turnover, 3.29 standard deviations to each side', () => {
    expect(returnBand({ ...figures, payouts: '1100.00' })).toMatchObject({
      fact: 1.1,
      theory: 0.95,
      low: 0.95 - 0.329,
      within: true,
    })
  })

  it('show when chance alone hardly explains the return', () => {
    const isWithin = (payouts: string) => returnBand({ ...figures, payouts })?.within
    expect(['1280.00', '1278.00', '622.00', '620.00'].map(isWithin)).toEqual([
      ...[false, true, true, false],
    ])
  })

  it('do not exist without a stake, and are never negative', () => {
    expect(returnBand({ ...figures, turnover: '0.00', payouts: '0.00' })).toBeNull()
    expect(returnBand({ ...figures, deviation: '9000.00', payouts: '0.00' })?.low).toBe(0)
    expect(percent(0.9644)).toBe('96.4%')
  })
})

it('each chart has its figures as a table', async () => {
  const hour = { ...figures, turnover: '100.00', payouts: '90.00', expected: '96.00' }
  const day = { day: '2026-11-22', so_far: hour, players: 3, deposits: '5.50' }
  const rest = { withdrawals: '0.00', robots: '0.00' }
  await showConsole('/', (mock) =>
    mock.answer(startFigures, {
      days: [[hour], [hour, hour], []].map((hours) => ({ ...day, ...rest, hours })),
      rooms: [],
    }),
  )
  const rowsOf = async (name: string) => {
    const figure = within(await screen.findByRole('figure', { name }))
    return figure.getAllByRole('row').map((row) => [...row.children].map((td) => td.textContent))
  }
  expect(await rowsOf('Turnover since the day’s beginning, in u')).toEqual([
    ['hours since the day’s beginning', 'today', 'yesterday', 'a week ago'],
    ...[
      ['0', '0', '0', '0'],
      ['1', '100', '100', '—'],
      ['2', '—', '200', '—'],
    ],
  ])
  expect((await rowsOf('Return to players since the day’s beginning')).at(-1)?.slice(0, 3)).toEqual(
    ['1', '90.0%', '96.0%'],
  )
  expect((await rowsOf('Deposits and withdrawals, in u'))[1]).toEqual(['today', '5.5', '0'])
})

it('a day on which more was taken back than deposited has its bar below the others', async () => {
  // The space of a chart.
  const style = document.createElement('style')
  style.textContent = 'figure div { width: 400px; height: 240px }'
  document.head.append(style)
  onTestFinished(() => style.remove())
  await showConsole('/', (mock) =>
    mock.answer(startFigures, {
      days: ['500.00', '-1500.00', '0.00'].map((deposits) => ({
        day: '2026-11-22',
        so_far: { ...figures, payouts: '0.00' },
        players: 3,
        deposits,
        withdrawals: '0.00',
        robots: '0.00',
        hours: [],
      })),
      rooms: [],
    }),
  )
  const figure = await screen.findByRole('figure', { name: 'Deposits and withdrawals, in u' })
  const bars = await waitFor(() => {
    const drawn = [...figure.querySelectorAll('.MuiBarChart-element')]
    expect(drawn.length).toBeGreaterThan(1)
    return drawn.map((bar) => [Number(bar.getAttribute('y')), Number(bar.getAttribute('height'))])
  })
  const [[top = 0, height = 0] = [], [below = 0, depth = 0] = []] = bars
  expect(below).toBe(top + height)
  // In whole pixels.
  expect(depth / height).toBeCloseTo(3, 1)
  expect(below + depth).toBeLessThan(240)
  expect(screen.getAllByText('No hour with bets of players is over.')).toHaveLength(3)
})

it('what was owed and held is stated for each count, to a tenth of a percent', async () => {
  const amounts = { owed: '1000.00', on_chain: '951.01', at_bank: '49.99' }
  const count = { number: 2, counted_at: 86_400, block: 7, root: 'ab', size: 256, ...amounts }
  const before = { ...count, number: 1, counted_at: 0, owed: '3000.00', at_bank: null }
  await showConsole('/', (mock) =>
    mock.answer(readReserves, { ...sample(readReserves), counts: [count, before] }),
  )
  await screen.findByText('100.1% of what is owed to players is held.')
  const table = within(screen.getByRole('region', { name: 'Owed and held' }))
  const cells = table
    .getAllByRole('row')
    .map((row) => [...row.children].map((td) => td.textContent))
  expect(cells).toEqual([
    [
      'Counted',
      'Owed to players',
      'On the chain',
      'At the bank, not proved',
      'Held of what is owed',
    ],
    ['2 Jan 1970, 00:00:00 UTC', '1,000.00 u', '951.01 u', '49.99 u', '100.1%'],
    ['1 Jan 1970, 00:00:00 UTC', '3,000.00 u', '951.01 u', '—', '31.7%'],
  ])
})
