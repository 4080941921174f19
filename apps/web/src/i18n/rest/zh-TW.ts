import type { Messages } from '@lingui/core'

const AREAS = import.meta.glob<Messages>(
  ['../../locales/zh-TW/*.json', '!../../locales/zh-TW/shell.json'],
  { import: 'default', eager: true },
)

export const REST: Messages = Object.assign({}, ...Object.values(AREAS))
