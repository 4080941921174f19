/** The English texts that the first screen does not need, as one piece to be loaded with another. */
import type { Messages } from '@lingui/core'

const AREAS = import.meta.glob<Messages>(['../locales/en/*.json', '!../locales/en/shell.json'], {
  import: 'default',
  eager: true,
})

export const ENGLISH_REST: Messages = Object.assign({}, ...Object.values(AREAS))
