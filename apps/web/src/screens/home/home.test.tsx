import { expect, it } from 'vitest'
import { shownWinners } from '#src/screens/home/home.ts'

it('hides winners whose nickname has Chinese characters', () => {
  const winners = ['ma**in', '李**7', 'ki明to', 'たろう', 'lu**07', '𠮷'].map((nickname) => ({
    nickname,
    game_name: 'ETH',
    profit: '10.00',
    createtime: 1_790_000_000,
  }))
  expect(shownWinners(winners).map(({ nickname }) => nickname)).toEqual([
    'ma**in',
    'たろう',
    'lu**07',
  ])
})
