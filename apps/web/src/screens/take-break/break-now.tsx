import { Button } from '@sum28/ui/button.tsx'
import { Callout } from '@sum28/ui/callout.tsx'
import { Dialog } from '@sum28/ui/dialog.tsx'
import { showToast } from '@sum28/ui/toast-store.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Exclusion, protectionQuery, requestReturn } from '#src/data/protection.ts'
import { showFailure } from '#src/features/show-failure.ts'
import { useLimitWords } from '#src/features/use-limit-words.ts'
import { useText } from '#src/i18n/text.ts'

/** The present break: its end, and the way back. */
export function BreakNow({ exclusion }: { exclusion: Exclusion }) {
  const t = useText()
  const words = useBreakWords(exclusion)
  const { mayAskFrom } = exclusion
  return (
    <>
      <Callout icon="pause" tone="warn" title={t('break.onTitle')}>
        {words}
      </Callout>
      {mayAskFrom !== null && mayAskFrom <= Date.now() && <RequestReturn />}
    </>
  )
}

function useBreakWords({ kind, until, mayAskFrom }: Exclusion): string {
  const t = useText()
  const { farAway } = useLimitWords()
  if (kind === 'likeness') return t('break.likeness')
  if (kind === 'time_out') return t('break.time_out', { time: farAway(until ?? Date.now()) })
  if (until !== null) return t('break.returning', { time: farAway(until) })
  if (mayAskFrom !== null && mayAskFrom > Date.now()) {
    return t('break.self_exclusion', { time: farAway(mayAskFrom) })
  }
  return t('break.over')
}

/** Requests the return after a self-exclusion, with a confirmation. */
function RequestReturn() {
  const t = useText()
  const queries = useQueryClient()
  const [confirming, setConfirming] = useState(false)
  const returning = useMutation({
    mutationFn: requestReturn,
    onSuccess: () => showToast(t('break.returnAsked')),
    onError: showFailure,
    onSettled: () => {
      setConfirming(false)
      return queries.invalidateQueries({ queryKey: protectionQuery.queryKey })
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
        title={t('break.returnAsk')}
        confirm={{
          label: t('break.return'),
          onConfirm: () => returning.mutate(),
          busy: returning.isPending,
        }}
      >
        {t('break.returnText')}
      </Dialog>
    </>
  )
}
