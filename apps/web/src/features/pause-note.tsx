import { memo } from 'react'
import type { Pause } from '#src/data/games.ts'
import { useLimitWords } from '#src/features/use-limit-words.ts'
import { useText } from '#src/i18n/text.ts'
import { Callout } from '#src/parts/callout.tsx'

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
