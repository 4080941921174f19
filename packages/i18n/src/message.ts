import { pluralForm, withMarks } from './numbers.ts'

/** A message as it is compiled: words, the names of values, and the forms of a number, where `#` is the number. */
export type Message = string | readonly Part[]
type Part =
  | string
  | readonly [name: string, kind?: 'plural', forms?: Readonly<Record<string, Message>>]

/** Fills a compiled message: a value that is missing leaves its place empty. */
type Fill = (message: Message, values: Readonly<Record<string, unknown>>) => string

/** @param tag the language, which forms numbers and chooses plurals */
export function fillIn(tag: string): Fill {
  function fill(
    message: Message,
    values: Readonly<Record<string, unknown>>,
    count?: string,
  ): string {
    if (typeof message === 'string') return message === '#' ? (count ?? message) : message
    return message.map((part) => fillPart(part, values, count)).join('')
  }
  function fillPart(part: Part, values: Readonly<Record<string, unknown>>, outer?: string): string {
    if (typeof part === 'string') return fill(part, values, outer)
    const [name, , forms] = part
    const value = values[name] ?? ''
    if (!forms) return String(value)
    const count = Number(value)
    const form = forms[String(value)] ?? forms[pluralForm(count, tag)] ?? forms.other
    return fill(form ?? '', values, withMarks(String(count), tag))
  }
  return fill
}
