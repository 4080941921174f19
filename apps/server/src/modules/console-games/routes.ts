import * as wire from '@sum28/contract/staff-games-routes.ts'
import { listRounds, oneRound } from '@sum28/contract/staff-timeline-routes.ts'
import { bind, type RouteBinding } from '#src/http/binding.ts'
import type { DownloadBinding } from '#src/http/serve-downloads.ts'
import { oddsOfRoom } from '#src/modules/games/games-store.ts'
import { isRefusal, refuse } from '#src/refusal/refusal.ts'
import type { Resources } from '#src/resources.ts'
import { changeRows } from './change-store.ts'
import { confirmChange, endChange } from './decide-change.ts'
import { proposeChange } from './propose-change.ts'
import { roomRow, roomRows } from './room-store.ts'
import { roundPage, timelineReply } from './timeline.ts'
import { timelinePage } from './timeline-store.ts'
import { changeReply, roomReply, roomTermsReply } from './wire.ts'

/** Serves the calls of `staff-games-routes.ts`. */
export function consoleGamesRoutes({ db }: Resources): RouteBinding[] {
  return [
    bind(wire.listRooms, async () => (await roomRows(db)).map(roomReply)),

    bind(wire.showRoom, async ({ input: { id } }) => {
      const [room, offers] = await Promise.all([roomRow(db, id), oddsOfRoom(db, id)])
      return room ? roomTermsReply(room, offers) : refuse('not_found', { field: 'id' })
    }),

    bind(listRounds, async ({ input: { game_id: gameId, ...ask } }) => {
      const page = await timelinePage(db, { ...ask, gameId })
      return isRefusal(page) ? page : { list: page.list.map(timelineReply), next: page.next }
    }),

    bind(oneRound, ({ input: { game_id: gameId, issue } }) => roundPage(db, { gameId, issue })),

    bind(wire.listRoomChanges, async ({ input: { room_id: roomId, ...ask } }) => {
      const page = await changeRows(db, { ...ask, roomId })
      return isRefusal(page) ? page : { list: page.list.map(changeReply), next: page.next }
    }),

    bind(wire.proposeRoomChange, ({ input, caller: { token: session } }) =>
      proposeChange(db, {
        roomId: input.id,
        version: input.rules_version,
        stakeMin: input.stake_min,
        stakeMax: input.stake_max,
        entryMin: input.entry_min,
        odds: input.odds ?? [],
        note: input.note,
        session,
      }),
    ),

    bind(wire.confirmRoomChange, ({ input: { id: changeId }, caller: { token: session } }) =>
      confirmChange(db, { changeId, session }),
    ),

    bind(wire.endRoomChange, ({ input: { id: changeId, reason }, caller: { token: session } }) =>
      endChange(db, { changeId, reason: reason ?? null, session }),
    ),
  ]
}

/** Serves the files of `staff-games-routes.ts`: it has none. */
export function consoleGamesDownloads(_deps: Resources): DownloadBinding[] {
  return []
}
