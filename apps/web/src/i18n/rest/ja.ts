import type { Messages } from '@lingui/core'

const AREAS = import.meta.glob<Messages>(
  ['../../locales/ja/*.json', '!../../locales/ja/shell.json'],
  { import: 'default', eager: true },
)

export const REST: Messages = Object.assign({}, ...Object.values(AREAS))
