import { Button } from '@sum28/ui/button.tsx'
import { CodeField } from '@sum28/ui/code-field.tsx'
import { Icon } from '@sum28/ui/icon.tsx'
import { type Ref, useState } from 'react'
import { useText } from '#src/i18n/text.ts'

type SecretCodeFieldProps = {
  label: string
  value: string
  onChange: (value: string) => void
  onComplete?: (value: string) => void
  /** Whether the digits are visible at first. */
  shownAtFirst?: boolean
  error?: string | undefined
  hint?: string
  disabled?: boolean
  ref?: Ref<HTMLInputElement>
}

/** Six secret digits with a button that shows them. */
export function SecretCodeField({ shownAtFirst = false, ...field }: SecretCodeFieldProps) {
  const t = useText()
  const [shown, setShown] = useState(shownAtFirst)
  const toggle = (
    <Button kind="plain" size="s" onClick={() => setShown(!shown)}>
      <Icon name={shown ? 'eyeOff' : 'eye'} size={20} />
      {shown ? t('securityCode.hide') : t('securityCode.show')}
    </Button>
  )
  return <CodeField {...field} known secret={!shown} end={toggle} />
}
