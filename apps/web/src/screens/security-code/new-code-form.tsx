import { Button } from '@sum28/ui/button.tsx'
import { useEffect, useRef, useState } from 'react'
import { securityCodeFaults } from '#src/data/security-code.ts'
import { useText } from '#src/i18n/text.ts'
import { CodeNote } from '#src/screens/security-code/code-note.tsx'
import { SecretCodeField } from '#src/screens/security-code/secret-code-field.tsx'
import type { SaveCode } from '#src/screens/security-code/use-save-code.ts'

/** Sets the first code. The sixth digit sends it, so the digits are visible while typed. */
export function NewCodeForm({ save }: { save: SaveCode }) {
  const t = useText()
  const [code, setCode] = useState('')
  const field = useRef<HTMLInputElement>(null)
  // The refusal stays until a digit changes.
  const error = save.variables?.newCode === code ? save.error : null
  const fault = securityCodeFaults(error).newCode
  useEffect(() => {
    if (fault) field.current?.focus()
  }, [fault])

  return (
    <div className="stack-4">
      <SecretCodeField
        ref={field}
        label={t('securityCode.choose')}
        hint={t('securityCode.hint')}
        error={fault}
        shownAtFirst
        value={code}
        onChange={setCode}
        onComplete={(newCode) => save.mutate({ newCode })}
        disabled={save.isPending}
      />
      {error && (
        <Button wide kind="soft" onClick={() => save.mutate({ newCode: code })}>
          {t('action.retry')}
        </Button>
      )}
      <CodeNote />
    </div>
  )
}
