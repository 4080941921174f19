import { Button } from '@sum28/ui/button.tsx'
import { CodeField } from '@sum28/ui/code-field.tsx'
import { Icon } from '@sum28/ui/icon.tsx'
import { type ComponentProps, useState } from 'react'
import { useText } from '#src/i18n/text.ts'

type SecretCodeFieldProps = Omit<ComponentProps<typeof CodeField>, 'known' | 'secret' | 'end'> & {
  /** Whether the digits are visible at first. */
  shownAtFirst?: boolean
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
