/** The rooms: lobby, heartbeat, streams, and stopping of betting. */
import { gamesStream, stream } from '@sum28/contract/stream.ts'
import { bindStream } from '#src/http/serve-stream.ts'
import type { Catalog } from '#src/modules/games/catalog.ts'
import type { Resources } from '#src/resources.ts'
import { deriveKey } from '#src/secrets/secret-cipher.ts'
import { lobbyReader, roomBoard } from './board.ts'
import { gameStreams } from './game-streams.ts'
import { heartbeat as roomHeartbeat } from './heartbeat.ts'
import { roomStreams } from './room-streams.ts'
import { roomRoutes, roomStaffRoutes } from './routes.ts'

export function roomsModule(
  deps: Pick<
    Resources,
    'db' | 'config' | 'schedule' | 'now' | 'bus' | 'roundChanged' | 'log' | 'ending' | 'secretKeys'
  > & { catalog: () => Promise<Catalog> },
) {
  const { db, config, schedule, now, bus, log, ending, catalog } = deps
  const feedKey = deriveKey(deps.secretKeys[0], 'pseudonyms of feeds')
  const board = roomBoard({ db, schedule, now, feedKey })
  const heartbeat = roomHeartbeat({ db, board, catalog, now })
  const rooms = roomStreams({
    heartbeat,
    board,
    schedule,
    now,
    onError: (error) => log.debug({ error }, 'a room could not be read'),
  })
  ending.defer(() => rooms.stop())
  const readLobby = lobbyReader({ board, catalog, robots: config.robots, now })
  const games = gameStreams({
    db,
    lobby: readLobby,
    schedule,
    now,
    onError: (error) => log.debug({ error }, 'the games could not be read'),
  })
  ending.defer(() => games.stop())
  bus.subscribe(({ topic, id }) => {
    if (topic === 'roundChanged') for (const each of [board, rooms, games]) each.roundChanged(id)
    if (topic === 'betsPlaced') for (const each of [board, rooms]) each.betsPlaced(id)
  })
  return {
    routes: [
      ...roomRoutes({ db, heartbeat, board, readLobby }),
      ...roomStaffRoutes({ db, catalog, now: deps.now, roundChanged: deps.roundChanged }),
    ],
    streams: [
      bindStream(stream, (caller, { game_id: gameId, plan_id: roomId, after = null }, send) =>
        rooms.watch({ gameId, roomId, after }, { caller, send }),
      ),
      bindStream(gamesStream, (_stranger, _asked, send) => games.watch(send)),
    ],
  }
}
