/** An upgrade of one process: it ends, and the next one begins on its database, while orders keep coming. */
import { relative } from 'node:path'
import { playOrder } from '@sum28/contract/lottery-routes.ts'
import { expect, it } from 'vitest'
import { expectAlwaysTrue } from '#testing/database/always-true.ts'
import { freePort, temporaryFolder } from '#testing/hosts/own-machine.ts'
import { addSeatedPlayers, type SeatedPlayer } from '#testing/people/seated-player.ts'
import { openIssue } from '#testing/product/play-round.ts'
import { createTestApp, type TestApp } from '#testing/product/test-app.ts'
import { eventually } from '#testing/requests/patience.ts'

const ORDERS_EACH = 3

/** Sends one order as the app does: with one key, until there is an answer. */
function order(
  test: TestApp,
  { player, key, issue }: { player: SeatedPlayer; key: string; issue: string },
): Promise<{ code: number }> {
  const bet = { game_id: 1, plan_id: 11, issue, play_type: '[1]', money: 100 }
  return eventually(async () => {
    const reply = await test
      .call(playOrder, bet, { token: player.token, key })
      .catch(() => undefined)
    return reply && reply.http < 500 ? reply : undefined
  })
}

it('orders that are sent through a restart with their keys are all taken, and each once', async () => {
  // While it is down, no other server gets the port.
  const DATA_DIR = relative(process.cwd(), temporaryFolder())
  const test = await createTestApp({ PORT: `${await freePort()}`, DATA_DIR })
  const issue = await openIssue(test)
  const players = await addSeatedPlayers(test.database, 8)
  let restarting: Promise<void> | undefined
  const taken = await Promise.all(
    players.flatMap((player) =>
      Array.from({ length: ORDERS_EACH }, async (_, number) => {
        const reply = await order(test, { player, key: `order-${number}`, issue })
        // The first answer begins the restart: other orders are on their way, waiting, or not sent yet.
        restarting ??= test.restart()
        const later = await order(test, { player, key: `later-${number}`, issue })
        return [reply.code, later.code]
      }),
    ),
  )
  await restarting
  expect(taken.flat()).toEqual(taken.flat().map(() => 1))
  const bets = await test.database.owner.query(
    'select player_id as id, count(*)::integer as bets from bets.bet group by 1 order by 1',
  )
  const ids = players.map(({ id }) => id).sort((one, other) => one - other)
  expect(bets).toEqual(ids.map((id) => ({ id, bets: 2 * ORDERS_EACH })))
  await expectAlwaysTrue(test.database.owner)
})
