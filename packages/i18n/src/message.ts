/** A message as it is compiled: words, the names of values, and the forms of a number, where `#` is the number. */
export type Message = string | readonly Part[]
type Part =
  | string
  | readonly [name: string, kind?: 'plural', forms?: Readonly<Record<string, Message>>]

/** Fills a compiled message: a value that is missing leaves its place empty. */
type Fill = (message: Message, values: Readonly<Record<string, unknown>>) => string

/** @param tag the language for `Intl`, which forms its numbers and chooses its plurals */
export function fillIn(tag: string): Fill {
  // Made with the first number: they take longer than all else that a first screen's texts need.
  let intl: { numbers: Intl.NumberFormat; plurals: Intl.PluralRules } | undefined
  const ofNumbers = () => {
    intl ??= { numbers: new Intl.NumberFormat(tag), plurals: new Intl.PluralRules(tag) }
    return intl
  }

  function fill(
    message: Message,
    values: Readonly<Record<string, unknown>>,
    count?: string,
  ): string {
    if (typeof message === 'string') return message === '#' ? (count ?? message) : message
    return message.map((part) => fillPart(part, values, count)).join('')
  }
  function fillPart(part: Part, values: Readonly<Record<string, unknown>>, count?: string): string {
    if (typeof part === 'string') return fill(part, values, count)
    const [name, , forms] = part
    const value = values[name] ?? ''
    if (!forms) return String(value)
    const { numbers, plurals } = ofNumbers()
    const form = forms[String(value)] ?? forms[plurals.select(Number(value))] ?? forms.other
    return fill(form ?? '', values, numbers.format(Number(value)))
  }
  return fill
}
