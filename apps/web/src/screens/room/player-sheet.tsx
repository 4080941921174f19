import { feedPlayer } from '@sum28/contract/lottery-routes.ts'
import { amountFromWire } from '@sum28/domain/money.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { call } from '#src/data/client.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { useText } from '#src/i18n/text.ts'
import { LabelAmount, LabelValue, LabelValues } from '#src/parts/label-values.tsx'
import { Sheet } from '#src/parts/overlays.tsx'
import { Skeleton } from '#src/parts/skeleton.tsx'
import { useLastValue } from '#src/parts/use-last-value.ts'
import type { FeedEntry } from '#src/screens/room/room-update.ts'

/** A feed's entry, and the room that it is in. */
type EntryOfRoom = { gameId: number; roomId: number; entry: FeedEntry }

/** What the entry's player has bet in the room on the day of the entry. */
function playerDayQuery({ gameId, roomId, entry }: EntryOfRoom) {
  return queryOptions({
    queryKey: ['feed-player', roomId, entry.id],
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const subject = { plan_id: roomId, game_id: gameId, feed_id: entry.id }
      const { count, quantity, payout, pending } = await call(feedPlayer, subject, { signal })
      return {
        count,
        staked: amountFromWire(quantity),
        payout: amountFromWire(payout),
        pending: amountFromWire(pending),
      }
    },
  })
}

type PlayerSheetProps = Omit<EntryOfRoom, 'entry'> & {
  /** The entry whose name was tapped, or null while the sheet is closed. */
  entry: FeedEntry | null
  onClose: () => void
}

/** Shows of a player in the feed whether it is a robot, and the sums of the day in this room: no more is public. */
export const PlayerSheet = memo(function PlayerSheet(props: PlayerSheetProps) {
  const { gameId, roomId, entry, onClose } = props
  const t = useText()
  const shown = useLastValue(entry)
  return (
    <Sheet open={entry !== null} onClose={onClose} title={shown?.nickname ?? ''}>
      {shown && (
        <div className="stack-3">
          <p>{t(shown.robot ? 'player.robot' : 'player.person')}</p>
          <PlayerDay {...{ gameId, roomId }} entry={shown} />
          <p className="caption">{t('player.scope')}</p>
        </div>
      )}
    </Sheet>
  )
})

function PlayerDay(subject: EntryOfRoom) {
  const t = useText()
  const day = useQuery(playerDayQuery(subject))
  return (
    <Loaded query={day} skeleton={<Skeleton height={116} />}>
      {({ count, staked, payout, pending }) => (
        <LabelValues kind="boxed">
          <LabelValue label={t('player.bets')}>{count}</LabelValue>
          <LabelAmount label={t('betHistory.staked')} value={staked} />
          {pending > 0n && (
            <LabelAmount label={t('betHistory.pending')} weight="part" value={pending} />
          )}
          <LabelAmount label={t('bet.payout')} value={payout} />
        </LabelValues>
      )}
    </Loaded>
  )
}
