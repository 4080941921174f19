/** A running round with time to bet in it, on a slow and busy machine too. */
import { lobby } from '@sum28/contract/lottery-routes.ts'
import { eventually, type TestApp } from './test-app.ts'

/** Rounds that do end, for tests that do much before or while one is sealed: half a minute for each, on a busy machine. */
export const CALM_ROUNDS = { ROUND_SECONDS: '90', SEAL_SECONDS: '30' }

/** Seconds to bet for such a test. */
export const CALM_TIME = 40

/** The number of a game's running round, once at least so many seconds are left to bet. */
export function openRound(test: TestApp, gameId: number, secondsLeft = 10): Promise<string> {
  return eventually(async () => {
    const round = (await test.call(lobby, { game_id: gameId })).data.gameList[0]?.issue
    return round && round.openTime1 >= secondsLeft ? round.issue : undefined
  })
}
