import { type CompiledMessage, compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import type { Message } from './message.ts'

/** Compiles an ICU message. Throws if it is none, or has more in it than values and plurals. */
export function compileMessage(message: string): Message {
  return compact(compileMessageOrThrow(message))
}

/** The same in fewer bytes: one text stands without its list, and a plural has no empty offset. */
function compact(message: CompiledMessage): Message {
  if (!Array.isArray(message)) return message
  const parts = message.map((part) => {
    if (typeof part === 'string') return part
    const [name, kind, { offset, ...forms } = {}] = part as [
      string,
      string?,
      Record<string, unknown>?,
    ]
    if (kind === undefined) return [name] as const
    if (kind !== 'plural' || offset !== undefined) throw new Error(`'${kind}' is not known`)
    const compacted = Object.entries(forms).map(([form, of]) => [
      form,
      compact(of as CompiledMessage),
    ])
    return [name, kind, Object.fromEntries(compacted)] as const
  })
  return parts.length === 1 && typeof parts[0] === 'string' ? parts[0] : parts
}
