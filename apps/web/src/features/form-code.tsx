import type { ComponentProps } from 'react'
import { Controller, useFormContext } from 'react-hook-form'
import { CodeField } from '#src/parts/code-field.tsx'

type FormCodeProps = Omit<
  ComponentProps<typeof CodeField>,
  'name' | 'value' | 'onChange' | 'onBlur' | 'error' | 'ref'
> & {
  name: string
  /** Said while there are not six digits. */
  missing: string
  /** What is wrong with a whole code, if anything is. */
  faultOf?: (code: string) => string | undefined
}

/** A code of six digits in the form around it; it uses a FormProvider. */
export function FormCode({ name, missing, faultOf, ...code }: FormCodeProps) {
  const { control } = useFormContext<Record<string, string>>()
  return (
    <Controller
      control={control}
      name={name}
      rules={{
        validate: {
          filled: (typed) => typed.length === 6 || missing,
          whole: (typed) => faultOf?.(typed) ?? true,
        },
      }}
      render={({ field, fieldState }) => (
        <CodeField {...code} {...field} error={fieldState.error?.message} />
      )}
    />
  )
}
