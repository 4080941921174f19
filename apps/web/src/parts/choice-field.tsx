import { type ComponentProps, useId } from 'react'
import { ChoicePills } from '#src/parts/choice-pills.tsx'
import { Noted } from '#src/parts/fields.tsx'

type ChoiceFieldProps<Value extends string> = Omit<
  ComponentProps<typeof ChoicePills<Value>>,
  'describedBy'
> & {
  /** The fault; shown below the choice and read with it. */
  error?: string | undefined
}

/** A choice of one in a form, with its label. `ref` is for the focus. */
export function ChoiceField<Value extends string>({ error, ...choice }: ChoiceFieldProps<Value>) {
  const id = useId()
  return (
    <Noted id={id} className="lines shrink" error={error}>
      <p className="label" aria-hidden="true">
        {choice.label}
      </p>
      <ChoicePills {...choice} describedBy={error && id} />
    </Noted>
  )
}
