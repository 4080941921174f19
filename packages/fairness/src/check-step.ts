/** One check: the value that the reader's machine computed and the value that the operator published. */
export interface CheckStep<Name extends string> {
  readonly name: Name
  /** null: not public yet, or not shown, so the check has no result. */
  readonly ok: boolean | null
  readonly computed: string | null
  readonly published: string | null
}

/** A check that holds if a value follows, and the same one is published. */
export function compare<Name extends string>(
  name: Name,
  values: Pick<CheckStep<Name>, 'computed' | 'published'>,
): CheckStep<Name> {
  return { name, ok: values.computed !== null && values.computed === values.published, ...values }
}
