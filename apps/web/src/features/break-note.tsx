import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import type { Pause } from '#src/data/games.ts'
import { type Exclusion, isHeld, protectionQuery } from '#src/data/protection.ts'
import { useLimitWords } from '#src/features/use-limit-left.ts'
import { useText } from '#src/i18n/text.ts'
import { Link } from '#src/navigation/navigation.tsx'
import { href } from '#src/navigation/routes.ts'
import { Callout } from '#src/parts/callout.tsx'

/** Says why betting and depositing are closed, and until when; empty while they are open. */
export function BreakNote() {
  const t = useText()
  const exclusion = useQuery(protectionQuery).data?.exclusion
  const words = useBreakWords(exclusion)
  if (!exclusion) return null
  return (
    <Callout icon="pause" tone="warn" title={words.title}>
      {words.text} {words.isBreak && <Link to={href('takeBreak')}>{t('break.more')}</Link>}
    </Callout>
  )
}

/** What closes betting and depositing, as far as it is known: a refused order says only how long a break lasts. */
export type Closed = {
  readonly kind?: Exclusion['kind']
  /** Null: it has no end date. */
  readonly until: number | null
}

/** The title and text of this note; a review by staff is no break that the player began. */
export function useBreakWords(closed: Closed | null | undefined) {
  const t = useText()
  const { farAway } = useLimitWords()
  const { kind, until = null } = closed ?? {}
  if (isHeld(kind)) {
    return { isBreak: false, title: t('held.review'), text: t(`break.${kind}`) }
  }
  const text = until === null ? t('break.closed') : t('break.closedUntil', { time: farAway(until) })
  return { isBreak: true, title: t('break.onTitle'), text }
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
