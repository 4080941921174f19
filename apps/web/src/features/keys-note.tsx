import { OWN_WITNESS } from '@sum28/contract/receipt.ts'
import { useQueryClient } from '@tanstack/react-query'
import type { CheckStep } from '#src/data/check-worker.ts'
import { linesOf } from '#src/data/draw-check.ts'
import { useTimeFormat } from '#src/data/game-zone.ts'
import { keysSince, trustKeys } from '#src/data/kept-keys.ts'
import { forgetState } from '#src/data/kept-log.ts'
import { useText } from '#src/i18n/text.ts'
import { minuteText } from '#src/i18n/time-text.ts'
import { Button } from '#src/parts/button.tsx'

type KeptStep = Pick<CheckStep, 'ok' | 'computed'> & { readonly name: string }

/** By whose keys a check holds: the answer names them itself. */
export function KeysNote({ steps }: { steps: readonly KeptStep[] }) {
  const t = useText()
  const when = useTimeFormat()
  const queries = useQueryClient()
  const step = steps.find(({ name }) => name === 'keys')
  const hasGrown = steps.find(({ name }) => name === 'growth')?.ok
  const signed = linesOf(step?.computed ?? null)
  const names = signed.flatMap((key) => /^witness ([^+]+)/.exec(key)?.[1] ?? [])
  const others = names.filter((name) => name !== OWN_WITNESS)
  const trust = () => {
    trustKeys(signed)
    // Of another log, to which the person agrees with its keys.
    if (hasGrown === false) forgetState()
    for (const queryKey of [['draw-check'], ['draw-verdict'], ['owed']]) {
      void queries.invalidateQueries({ queryKey })
    }
  }
  return (
    <>
      {others.length > 0 && (
        <p className="quiet anywhere">{t('check.witnesses', { names: others.join(', ') })}</p>
      )}
      {others.length < names.length && <p className="quiet">{t('check.ownWitness')}</p>}
      {step?.ok === null && (
        <>
          <p>{t('check.compareKeys', { date: minuteText(keysSince(signed), when) })}</p>
          <Button kind="soft" size="s" onClick={trust}>
            {t('check.keysCompared')}
          </Button>
        </>
      )}
    </>
  )
}
