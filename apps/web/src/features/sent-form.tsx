import { keyedActions } from '@sum28/contract/keyed-actions.ts'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import {
  type DefaultValues,
  type FieldError,
  type FieldErrors,
  type FieldValues,
  FormProvider,
  get,
  type Path,
  type RegisterOptions,
  type UseFormRegisterReturn,
  type UseFormReturn,
  useForm,
  useFormContext,
} from 'react-hook-form'
import { showFailure } from '#src/data/failure.ts'
import { useText } from '#src/i18n/text.ts'
import { Button } from '#src/parts/button.tsx'
import { PasswordField } from '#src/parts/fields.tsx'

type Faults<Form extends FieldValues> = { readonly [Field in Path<Form>]?: string | undefined }

/** Does an action; if it needs a proof that it is the player, asks him for one, and does it again. */
export type WithProof = <Result>(act: () => Promise<Result>) => Promise<Result>

type SentFormOptions<Form extends FieldValues> = {
  /** In the order in which the focus goes to faults. */
  defaultValues: DefaultValues<Form>
  /** The key is that of an earlier try with the same entries, if it is not known what became of that one. */
  send: (entered: Form, idempotencyKey: string) => Promise<unknown>
  withProof?: WithProof
  /** Opens another screen; the form stays busy until then. */
  onSent?: () => void
  /** The messages of the server's refusal by field. */
  faultsOf?: (error: unknown) => Faults<Form>
}

export type SentFormState<Form extends FieldValues> = UseFormReturn<Form> & {
  busy: boolean
  /** Called after the server has accepted the form. */
  sent: boolean
  onSubmit: () => void
  /** The properties of a text field: its registration, and its fault. */
  field: <Name extends Path<Form>>(
    name: Name,
    rules?: RegisterOptions<Form, Name>,
  ) => UseFormRegisterReturn<Name> & { error: string | undefined }
}

/** The rules that an empty field breaks. */
const MISSING: readonly unknown[] = ['filled', 'required']

/**
 * A form that is sent to the server as a whole. Faults are shown beside each field, until it changes; what is not about
 * a field is shown in a toast.
 */
export function useSentForm<Form extends FieldValues>(
  options: SentFormOptions<Form>,
): SentFormState<Form> {
  const { defaultValues, send, withProof, onSent, faultsOf } = options
  const fields = Object.keys(defaultValues) as Path<Form>[]
  const form = useForm<Form>({ defaultValues, shouldFocusError: false })
  const [actions] = useState(keyedActions)
  const sending = useMutation({
    mutationFn: (entered: Form) => {
      // Each with a key of its own: the answer that a proof is needed is kept for the first.
      const act = () => actions.send(entered, (key) => send(entered, key))
      return withProof ? withProof(act) : act()
    },
    onSuccess: () => onSent?.(),
    onError: (error) => {
      const faults: Faults<Form> = faultsOf?.(error) ?? {}
      const wrong = fields.filter((field) => faults[field])
      // What a field says is not said in a toast as well.
      if (wrong.length === 0) showFailure(error)
      for (const field of wrong) form.setError(field, { message: faults[field] ?? '' })
      if (wrong[0]) form.setFocus(wrong[0])
    },
  })

  /** Puts the focus on the first wrong field, a missing one before others; each says its own fault. */
  function refuse(errors: FieldErrors<Form>) {
    const wrong = fields.filter((field) => errors[field])
    const first = wrong.find((field) => MISSING.includes(errors[field]?.type)) ?? wrong[0]
    if (first) form.setFocus(first)
  }

  return {
    ...form,
    busy: sending.isPending || (sending.isSuccess && onSent !== undefined),
    sent: sending.isSuccess,
    field: (name, rules) => ({
      ...form.register(name, rules),
      error: get<FieldErrors<Form>, FieldError | undefined>(form.formState.errors, name)?.message,
    }),
    onSubmit: form.handleSubmit((entered) => sending.mutate(entered), refuse),
  }
}

type SentFormProps<Form extends FieldValues> = {
  form: SentFormState<Form>
  submit: string
  children: ReactNode
}

/** The fields of a {@link useSentForm}, and the button that sends it. */
export function SentForm<Form extends FieldValues>({
  form,
  submit,
  children,
}: SentFormProps<Form>) {
  return (
    <FormProvider {...form}>
      <form className="stack-4" noValidate onSubmit={form.onSubmit}>
        {children}
        <Button type="submit" wide busy={form.busy}>
          {submit}
        </Button>
      </form>
    </FormProvider>
  )
}

/** A form rule: the field must have more than spaces. `hint` is its message. */
export function filled(hint: string): (value: string) => true | string {
  return (value) => value.trim() !== '' || hint
}

/** The fewest characters of a password. */
const PASSWORD_MIN = 8

/** The values that the form around these fields must have; it uses a FormProvider. */
type NewPassword = { password: string; again: string }

/** A new password, and its repetition. */
export function NewPasswordFields() {
  const t = useText()
  const { register, getValues, formState } = useFormContext<NewPassword>()
  const { errors } = formState
  return (
    <>
      <PasswordField
        label={t('changePassword.new')}
        placeholder={t('changePassword.newHint')}
        hint={t('register.passwordRule')}
        autoComplete="new-password"
        error={errors.password?.message}
        {...register('password', {
          required: t('changePassword.newHint'),
          validate: (password) =>
            password.normalize().length >= PASSWORD_MIN || t('register.passwordRule'),
        })}
      />
      <PasswordField
        label={t('changePassword.again')}
        placeholder={t('changePassword.againHint')}
        autoComplete="new-password"
        error={errors.again?.message}
        {...register('again', {
          required: t('changePassword.againHint'),
          validate: (again) =>
            again.normalize() === getValues('password').normalize() || t('changePassword.differ'),
        })}
      />
    </>
  )
}
