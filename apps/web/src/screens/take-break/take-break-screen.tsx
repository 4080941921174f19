import { askReturn } from '@sum28/contract/protection-routes.ts'
import { serverNow } from '@sum28/ui/server-clock.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#src/data/client.ts'
import { type BreakLength, type Exclusion, protectionQuery } from '#src/data/protection.ts'
import { refetchQuery } from '#src/data/query-client.ts'
import { Loaded } from '#src/features/loaded.tsx'
import { Screen } from '#src/features/screen.tsx'
import { useLimitWords } from '#src/features/use-limit-left.ts'
import { useText } from '#src/i18n/text.ts'
import { href } from '#src/navigation/routes.ts'
import { Button } from '#src/parts/button.tsx'
import { Callout } from '#src/parts/callout.tsx'
import { Card } from '#src/parts/card.tsx'
import { ListRow } from '#src/parts/list-row.tsx'
import { Dialog } from '#src/parts/overlays.tsx'
import { Skeletons } from '#src/parts/skeleton.tsx'
import { showToast } from '#src/parts/toast-store.ts'
import { BreakChoice, BreakFacts, endOfBreak } from '#src/screens/take-break/break-choice.tsx'

/** Time-outs and self-exclusions: the forms to begin one, and the present one. */
export function TakeBreakScreen() {
  const t = useText()
  const protection = useQuery(protectionQuery)
  return (
    <Screen title={t('break.title')} back>
      <Loaded query={protection} skeleton={<Skeletons heights={[44, 164, 236, 236]} />}>
        {({ exclusion }) => (
          <>
            {exclusion ? (
              <BreakNow exclusion={exclusion} />
            ) : (
              <p className="inset">{t('break.lead')}</p>
            )}
            <Card>
              <BreakFacts />
            </Card>
            <Choices exclusion={exclusion} />
          </>
        )}
      </Loaded>
      <Card kind="rows">
        <ListRow
          icon="shield"
          title={t('home.saferPlay')}
          note={t('home.saferPlayNote')}
          to={href('saferPlay')}
        />
      </Card>
    </Screen>
  )
}

/** The breaks that can be begun: during a break, only longer ones. */
function Choices({ exclusion }: { exclusion: Exclusion | null }) {
  const t = useText()
  const { timeOut, selfExclusion } = lengthsOffered(exclusion, serverNow())
  const none = timeOut.length + selfExclusion.length === 0
  return (
    <>
      {exclusion && !none && <p className="inset">{t('break.longer')}</p>}
      {timeOut.length > 0 && <BreakChoice kind="timeOut" lengths={timeOut} />}
      {selfExclusion.length > 0 && <BreakChoice kind="selfExclusion" lengths={selfExclusion} />}
    </>
  )
}

/** The present break: its end, and the way back. */
function BreakNow({ exclusion }: { exclusion: Exclusion }) {
  const t = useText()
  const words = useBreakWords(exclusion)
  const { mayAskFrom } = exclusion
  return (
    <>
      <Callout icon="pause" tone="warn" title={t('break.onTitle')}>
        {words}
      </Callout>
      {mayAskFrom !== null && mayAskFrom <= serverNow() && <RequestEnd />}
    </>
  )
}

function useBreakWords({ kind, until, mayAskFrom }: Exclusion): string {
  const t = useText()
  const { farAway } = useLimitWords()
  if (kind === 'likeness') return t('break.likeness')
  if (kind === 'timeOut') return t('break.onTimeOut', { time: farAway(until ?? serverNow()) })
  if (until !== null) return t('break.returning', { time: farAway(until) })
  if (mayAskFrom !== null && mayAskFrom > serverNow()) {
    return t('break.onSelfExclusion', { time: farAway(mayAskFrom) })
  }
  return t('break.over')
}

/** Requests the return after a self-exclusion, with a confirmation. */
function RequestEnd() {
  const t = useText()
  const [confirming, setConfirming] = useState(false)
  const returning = useMutation({
    mutationFn: () => call(askReturn, {}),
    onSuccess: () => showToast(t('break.endRequested')),
    onSettled: () => {
      setConfirming(false)
      return refetchQuery(protectionQuery)
    },
  })
  return (
    <>
      <Button kind="soft" wide onClick={() => setConfirming(true)}>
        {t('break.return')}
      </Button>
      <Dialog
        open={confirming}
        onClose={() => setConfirming(false)}
        title={t('break.endAsk')}
        confirm={{
          label: t('break.return'),
          onConfirm: () => returning.mutate(),
          busy: returning.isPending,
        }}
      >
        {t('break.endText')}
      </Dialog>
    </>
  )
}

const HOURS = [24, 48, 168, 336, 672, 1008].map((hours) => ({ hours }))
const MONTHS = [6, 12, 24, 36, 60].map((months) => ({ months }))

type Lengths = {
  readonly timeOut: readonly BreakLength[]
  readonly selfExclusion: readonly BreakLength[]
}

/**
 * The lengths of a break that the server accepts: those that end after the present break of the same
 * kind. During a time-out every self-exclusion is possible, and during a self-exclusion no time-out.
 *
 * @param now milliseconds since 1970
 */
function lengthsOffered(exclusion: Exclusion | null, now: number): Lengths {
  const endingAfter = (lengths: readonly BreakLength[], end: number | null) =>
    lengths.filter((length) => end === null || endOfBreak(length, now) > end)
  switch (exclusion?.kind) {
    case undefined:
      return { timeOut: HOURS, selfExclusion: MONTHS }
    case 'timeOut':
      return { timeOut: endingAfter(HOURS, exclusion.until), selfExclusion: MONTHS }
    case 'selfExclusion':
      return { timeOut: [], selfExclusion: endingAfter(MONTHS, exclusion.mayAskFrom) }
    case 'likeness':
      return { timeOut: [], selfExclusion: [] }
  }
}
