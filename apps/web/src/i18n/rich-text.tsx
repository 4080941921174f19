import { Trans } from '@lingui/react'
import type { ReactElement } from 'react'
import type { TextKey } from '#src/i18n/text.ts'

type RichTextProps = {
  /** A message with tags: `I accept the <rules>rules</rules>`. */
  id: TextKey
  /** The element that each tag becomes; its children come from the message. */
  components: Record<string, ReactElement>
}

/** A text with elements in it, such as a link, placed by each language's message. */
export function RichText({ id, components }: RichTextProps) {
  return <Trans id={id} components={components} />
}
