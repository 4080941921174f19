import { cloneElement, type ReactElement } from 'react'
import { type TextKey, useText } from '#src/i18n/text.ts'

type RichTextProps = {
  /** A message with tags: `I accept the <rules>rules</rules>`. */
  id: TextKey
  /** The element that each tag becomes; its children come from the message. */
  components: Record<string, ReactElement>
}

/** A text with elements in it, such as a link, placed by each language's message. */
export function RichText({ id, components }: RichTextProps) {
  // Words, then the name and the words of a tag, and so on.
  const parts = useText()(id).split(/<(\w+)>(.*?)<\/\1>/)
  return parts.map((part, at) => {
    const tag = at % 3 === 1 && components[part]
    if (tag) return cloneElement(tag, { key: `${part} ${at}` }, parts[at + 1])
    return at % 3 === 0 && part
  })
}
