import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { changeProfile } from '#src/data/change-profile.ts'
import { fieldFaults, showFailure } from '#src/data/failure.ts'
import { useDraft } from '#src/features/day-sheet.tsx'
import { useText } from '#src/i18n/text.ts'
import { Button } from '#src/parts/button.tsx'
import { TextField } from '#src/parts/fields.tsx'
import { Sheet } from '#src/parts/overlays.tsx'
import { showToast } from '#src/parts/toast-store.ts'

/** The longest number that the server stores. */
const NUMBER_MAX = 40

type DocumentSheetProps = { open: boolean; onClose: () => void }

/** Takes the number of an identity document, which the player may give. The stored one is never shown here. */
export function DocumentSheet({ open, onClose }: DocumentSheetProps) {
  const t = useText()
  const [typed, setTyped] = useDraft<string>(open, '')
  const [missing, setMissing] = useState(false)
  const save = useMutation({
    mutationFn: (document: string) => changeProfile({ document }),
    onSuccess: () => {
      showToast(t('profile.documentSaved'))
      onClose()
    },
    onError: (error) => {
      if (fieldFaults(error).idcard === undefined) showFailure(error)
    },
  })
  // A refused number stays marked until it changes.
  const refused = save.variables === typed.trim() ? fieldFaults(save.error).idcard : undefined

  function submit() {
    const number = typed.trim()
    setMissing(number === '')
    if (number !== '') save.mutate(number)
  }

  return (
    <Sheet open={open} onClose={onClose} title={t('profile.document')}>
      <form
        className="stack-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <TextField
          label={t('profile.document')}
          placeholder={t('profile.documentHint')}
          hint={t('profile.documentText')}
          error={missing ? t('profile.documentHint') : refused}
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          translate="no"
          maxLength={NUMBER_MAX}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setMissing(false)
          }}
        />
        <Button type="submit" wide busy={save.isPending}>
          {t('payMethods.save')}
        </Button>
      </form>
    </Sheet>
  )
}
