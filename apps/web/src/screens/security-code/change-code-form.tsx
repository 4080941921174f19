import { Button } from '@sum28/ui/button.tsx'
import { showToast } from '@sum28/ui/toast-store.ts'
import { useRef, useState } from 'react'
import { securityCodeFaults } from '#src/data/security-code.ts'
import { useSupport } from '#src/features/use-support.ts'
import { useText } from '#src/i18n/text.ts'
import { CodeNote } from '#src/screens/security-code/code-note.tsx'
import { SecretCodeField } from '#src/screens/security-code/secret-code-field.tsx'
import type { SaveCode } from '#src/screens/security-code/use-save-code.ts'

const SIX_DIGITS = /^\d{6}$/

/** Changes the code by the old one. */
export function ChangeCodeForm({ save }: { save: SaveCode }) {
  const t = useText()
  const [oldCode, setOldCode] = useState('')
  const [newCode, setNewCode] = useState('')
  const [missing, setMissing] = useState<'old' | 'new' | null>(null)
  const oldField = useRef<HTMLInputElement>(null)
  const newField = useRef<HTMLInputElement>(null)
  const { openSupport } = useSupport()
  // A refused code stays marked until one of its digits changes.
  const faults = securityCodeFaults(save.error)
  const oldFault = save.variables?.oldCode === oldCode ? wordsOfOldFault() : undefined
  const newFault = save.variables?.newCode === newCode ? faults.newCode : undefined

  function wordsOfOldFault(): string | undefined {
    const { oldCode: fault, triesLeft } = faults
    if (!fault || triesLeft === undefined) return fault
    return `${fault} · ${t('securityCode.triesLeft', { count: triesLeft })}`
  }

  function submit() {
    const first = !SIX_DIGITS.test(oldCode) ? 'old' : !SIX_DIGITS.test(newCode) ? 'new' : null
    setMissing(first)
    if (first === null) {
      save.mutate({ oldCode, newCode })
      return
    }
    showToast(t(`securityCode.${first}Hint`))
    const field = first === 'old' ? oldField : newField
    field.current?.focus()
  }

  return (
    <form
      className="stack-4"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <SecretCodeField
        ref={oldField}
        label={t('securityCode.old')}
        error={missing === 'old' ? t('securityCode.oldHint') : oldFault}
        value={oldCode}
        onChange={(code) => {
          setOldCode(code)
          setMissing(null)
        }}
        onComplete={() => newField.current?.focus()}
        disabled={save.isPending}
      />
      <SecretCodeField
        ref={newField}
        label={t('securityCode.new')}
        hint={t('securityCode.hint')}
        error={missing === 'new' ? t('securityCode.newHint') : newFault}
        shownAtFirst
        value={newCode}
        onChange={(code) => {
          setNewCode(code)
          setMissing(null)
        }}
        disabled={save.isPending}
      />
      <Button type="submit" wide busy={save.isPending}>
        {t('securityCode.confirm')}
      </Button>
      <CodeNote />
      <Button kind="plain" size="s" onClick={openSupport}>
        {t('securityCode.forgotten')}
      </Button>
    </form>
  )
}
