import { TextField } from '@sum28/ui/text-field.tsx'
import { type ComponentProps, useLayoutEffect, useRef } from 'react'
import { caretInGroups, groupedDigits } from '#src/screens/add-bank-card/card-number-text.ts'

type CardNumberFieldProps = Omit<ComponentProps<typeof TextField>, 'value' | 'onChange'> & {
  value: string
  onChange: (value: string) => void
}

/** A card number, grouped by four while it is typed; the caret keeps its place. */
export function CardNumberField({ value, onChange, ...rest }: CardNumberFieldProps) {
  const edited = useRef<{ input: HTMLInputElement; caret: number } | null>(null)
  // Replacing the value moves the caret to the end; it is put back before the next paint.
  useLayoutEffect(() => {
    const { input, caret } = edited.current ?? {}
    edited.current = null
    if (input && caret !== undefined) input.setSelectionRange(caret, caret)
  })

  function change(input: HTMLInputElement) {
    const caret = input.selectionStart ?? input.value.length
    edited.current = { input, caret: caretInGroups(input.value, caret) }
    onChange(groupedDigits(input.value))
  }

  return (
    <TextField
      {...rest}
      value={value}
      inputMode="numeric"
      autoComplete="cc-number"
      spellCheck={false}
      translate="no"
      onChange={(event) => {
        const { isComposing } = event.nativeEvent as InputEvent
        if (isComposing) onChange(event.target.value)
        else change(event.target)
      }}
      onCompositionEnd={(event) => change(event.currentTarget)}
    />
  )
}
