import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import type { Pause } from '#src/data/games.ts'
import { protectionQuery } from '#src/data/protection.ts'
import { useLimitWords } from '#src/features/use-limit-left.ts'
import { useText } from '#src/i18n/text.ts'
import { Link } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { Callout } from '#src/parts/callout.tsx'

/** Whether the player is on a break; false until it is loaded. */
export function useOnBreak(): boolean {
  return Boolean(useQuery(protectionQuery).data?.exclusion)
}

/** Says that betting and depositing are closed during a break, and until when; empty without a break. */
export function BreakNote() {
  const t = useText()
  const exclusion = useQuery(protectionQuery).data?.exclusion
  const closed = useBreakText(exclusion?.until ?? null)
  if (!exclusion) return null
  return (
    <Callout icon="pause" tone="warn" title={t('break.onTitle')}>
      {closed} <Link to={href('takeBreak')}>{t('break.more')}</Link>
    </Callout>
  )
}

/** The text of this note. `until` null: the break has no end date. */
export function useBreakText(until: number | null): string {
  const t = useText()
  const { farAway } = useLimitWords()
  return until === null ? t('break.closed') : t('break.closedUntil', { time: farAway(until) })
}

type PauseNoteProps = { pauses: readonly Pause[]; roomId?: number }

/** The next planned stop of a game's betting, or of one of its rooms: when, and the operator's words; empty without one. */
export const PauseNote = memo(function PauseNote({ pauses, roomId }: PauseNoteProps) {
  const t = useText()
  const { soon } = useLimitWords()
  const next = pauses.find((pause) => pause.roomId === null || pause.roomId === roomId)
  if (!next) return null
  return (
    <Callout icon="pause" tone="warn" title={t('pause.title')}>
      {t('pause.times', { from: soon(next.beginsAt), until: soon(next.endsAt) })} {next.text}
    </Callout>
  )
})
