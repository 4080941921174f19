import { Button } from '@sum28/ui/button.tsx'
import { Dialog } from '@sum28/ui/dialog.tsx'
import { useLocale } from '@sum28/ui/text.ts'
import { TextField } from '@sum28/ui/text-field.tsx'
import { type FormEvent, useState } from 'react'
import type { Limit } from '#src/data/protection.ts'
import { readTypedAmount } from '#src/data/typed-amount.ts'
import { useLimitWords } from '#src/features/use-limit-words.ts'
import { useText } from '#src/i18n/text.ts'
import styles from '#src/screens/limits/limit-form.module.css'
import { type LimitChange, RAISE_WAIT_MS } from '#src/screens/limits/use-limit-change.ts'

type LimitFormProps = { limit: Limit; change: LimitChange }

/** Sets or removes the player's own limit. The field is empty at first. */
export function LimitForm({ limit: { own }, change }: LimitFormProps) {
  const t = useText()
  const { tag } = useLocale()
  const { soon } = useLimitWords()
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string>()
  const [removing, setRemoving] = useState(false)
  const read = readTypedAmount(typed, { tag })
  const higher = read.ok && own !== null && read.amount > own
  const later = soon(Date.now() + RAISE_WAIT_MS)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (read.ok) change.set(read.amount)
    else setError(t(read.fault === 'empty' ? 'limits.amountHint' : 'limits.amountWrong'))
  }

  return (
    <form className="stack-3" noValidate onSubmit={submit}>
      <TextField
        label={t('limits.amount')}
        hint={higher ? t('limits.later', { time: later }) : t('limits.atOnce')}
        error={error}
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        end={<span className={styles.unit}>u</span>}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          setError(undefined)
        }}
      />
      <Button type="submit" wide busy={change.busy}>
        {t(higher ? 'limits.askHigher' : 'limits.set')}
      </Button>
      {own !== null && (
        <Button kind="soft" wide onClick={() => setRemoving(true)}>
          {t('limits.remove')}
        </Button>
      )}
      <Dialog
        open={removing}
        onClose={() => setRemoving(false)}
        title={t('limits.removeAsk')}
        tone="warn"
        confirm={{
          label: t('limits.remove'),
          onConfirm: () => {
            setRemoving(false)
            change.set(null)
          },
        }}
      >
        {t('limits.removeText', { time: later })}
      </Dialog>
    </form>
  )
}
