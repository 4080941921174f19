import { feedPlayer } from '@sum28/contract/lottery-routes.ts'
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import { waysOfAny } from '@sum28/domain/outcomes.ts'
import { payoutMax, totalStake } from '@sum28/domain/payout.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { memo, use, useState } from 'react'
import { call } from '#src/data/client.ts'
import { isWrongSoFar, readTypedAmount, typedForm, typedSoFar } from '#src/data/typed-amount.ts'
import { ErrorState, Loaded } from '#src/features/loaded.tsx'
import { OutcomeTags } from '#src/features/outcome-tag.tsx'
import { oddsText, shareText } from '#src/i18n/number-text.ts'
import { useLocale, useText } from '#src/i18n/text.ts'
import { TextField } from '#src/parts/fields.tsx'
import { LabelAmount, LabelValue, LabelValues } from '#src/parts/label-values.tsx'
import { Dialog, Sheet } from '#src/parts/overlays.tsx'
import { Skeleton } from '#src/parts/skeleton.tsx'
import { useLastValue } from '#src/parts/use-last-value.ts'
import { RobotBadge } from '#src/screens/room/feed.tsx'
import { oddsQuery } from '#src/screens/room/odds.ts'
import { LimitLeftLine, useAmountInput, useHindrance } from '#src/screens/room/pay-bar.tsx'
import type { Order } from '#src/screens/room/room-state.ts'
import type { FeedEntry } from '#src/screens/room/room-update.ts'
import { BalanceContext } from '#src/screens/room/use-room.ts'

type FollowDialogProps = {
  /** The entry to follow, or null while the dialog is closed. */
  entry: FeedEntry | null
  roomId: number
  /** The smallest total of one order. */
  stakeMin: Amount
  /** The order that is under way, or null. */
  placing: Order | null
  /** Whether an earlier order has no answer yet. */
  waits: boolean
  onClose: () => void
  /** Called with the followed entry, and the player's own stake on each selection. */
  onConfirm: (entry: FeedEntry, stake: Amount) => void
}

/**
 * Asks for confirmation before following a bet: shows whose it is, its round, selections, their odds and chance, and lets the
 * player change the amount.
 */
export const FollowDialog = memo(function FollowDialog(props: FollowDialogProps) {
  const { entry, roomId, stakeMin, placing, onClose, onConfirm } = props
  const t = useText()
  const { tag } = useLocale()
  const query = useQuery(oddsQuery(roomId))
  const odds = query.data
  const shown = useLastValue(entry)
  const balance = entry && use(BalanceContext)
  const hindranceOf = useHindrance(stakeMin)
  const [typed, setTyped] = useState<{ of: FeedEntry | null; text: string }>({ of: null, text: '' })
  // Each entry begins with its own stake.
  const text = typed.of === shown ? typed.text : shown ? typedForm(shown.stake, tag) : ''
  const input = useAmountInput(text, (raw) => {
    const next = typedSoFar(raw, { tag })
    if (next !== null) setTyped({ of: shown, text: next })
  })
  const read = readTypedAmount(text, { tag })
  const stake = read.ok && read.amount > 0n ? read.amount : null
  const busy = placing !== null && placing.followedId === shown?.id && placing.stake === stake
  const waits = props.waits || (placing !== null && !busy)
  const wrong = isWrongSoFar(text, { tag }) ? t('withdrawal.amountWrong') : undefined
  const selections = shown?.ruleIds.flatMap((ruleId) => odds?.byRule.get(ruleId) ?? []) ?? []
  const total = stake && shown && totalStake({ stake, selections: shown.ruleIds.length })
  const returns = stake && selections.length > 0 ? payoutMax(stake, selections) : null
  const hindrance =
    total && returns !== null && odds ? hindranceOf({ total, returns }, odds, balance) : null
  return (
    <Dialog
      open={entry !== null}
      onClose={onClose}
      title={t('follow.title')}
      confirm={{
        label: t('follow.confirm'),
        onConfirm: () => entry && stake && onConfirm(entry, stake),
        busy,
        // At no odds but those that are shown.
        disabled: !busy && (waits || stake === null || hindrance !== null || !odds),
      }}
    >
      {shown && (
        <div className="stack-3">
          <LabelValues kind="boxed">
            <LabelValue label={t('feed.player')}>
              {shown.nickname} {shown.robot && <RobotBadge />}
            </LabelValue>
            <LabelValue label={t('room.round')}>{shown.roundId}</LabelValue>
            <LabelValue label={t('follow.play')}>
              <OutcomeTags outcomes={shown.outcomes} />
            </LabelValue>
            {selections.length > 0 && (
              <LabelValue label={t('panel.odds')}>
                {selections.map(({ odds }) => oddsText(odds, tag)).join(' · ')}
              </LabelValue>
            )}
            <LabelValue label={t('panel.chance')}>
              {shareText(String(waysOfAny(shown.ruleIds) / 1_000), tag)}
            </LabelValue>
            {total && <LabelAmount label={t('follow.total')} weight="strong" value={total} />}
            {returns !== null && <LabelAmount label={t('follow.returns')} value={returns} />}
          </LabelValues>
          <TextField
            label={t('panel.amount')}
            inputMode="decimal"
            autoComplete="off"
            {...input}
            error={waits ? t('order.waits') : (hindrance ?? wrong)}
          />
          {query.isError && !odds && (
            <ErrorState error={query.error} onRetry={() => query.refetch()} />
          )}
          <LimitLeftLine />
        </div>
      )}
    </Dialog>
  )
})

type EntryOfRoom = { gameId: number; roomId: number; entry: FeedEntry }

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
          {pending > 0n && <LabelAmount label={t('bet.pending')} weight="part" value={pending} />}
          <LabelAmount label={t('bet.payout')} value={payout} />
        </LabelValues>
      )}
    </Loaded>
  )
}
