import type { Messages } from '@lingui/core'

const AREAS = import.meta.glob<Messages>(
  ['../../locales/en/*.json', '!../../locales/en/shell.json'],
  { import: 'default', eager: true },
)

export const REST: Messages = Object.assign({}, ...Object.values(AREAS))
