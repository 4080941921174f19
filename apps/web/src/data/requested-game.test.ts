import { describe, expect, it } from 'vitest'
import { currentGameDay, requestedDay, requestedGame } from '#src/data/requested-game.ts'

describe('the game that an address requests', () => {
  const games = [{ id: 1 }, { id: 4 }]

  it('is the one with that number', () => {
    expect(requestedGame(games, '4')).toBe(games[1])
  })

  it.each([undefined, '', '2', '04', '4 ', '<b>'])('is none for %j', (gameId) => {
    expect(requestedGame(games, gameId)).toBeUndefined()
  })
})

describe('the day that an address requests', () => {
  const today = '2026-11-21'

  it.each(['2018-01-01', '2024-02-29', '2026-11-21'])('is %s', (day) => {
    expect(requestedDay(day, today)).toBe(day)
  })

  it.each([undefined, '', '2017-12-31', '2026-11-22', '2026-02-30', '21.11.2026'])(
    'is none for %j',
    (text) => {
      expect(requestedDay(text, today)).toBeNull()
    },
  )
})

describe('the present game day', () => {
  it('is yesterday’s after midnight, while its rounds run', () => {
    const game = { roundId: '20261120250', lastRoundId: '20261120249' }
    expect(currentGameDay(game, '2026-11-21')).toBe('2026-11-20')
  })

  it('is the last draw’s between two days, and today’s if there was no draw', () => {
    expect(currentGameDay({ roundId: '', lastRoundId: '20261120274' }, '2026-11-21')).toBe(
      '2026-11-20',
    )
    expect(currentGameDay({ roundId: '', lastRoundId: '' }, '2026-11-21')).toBe('2026-11-21')
  })
})
