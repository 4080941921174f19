import { Unreachable } from '@sum28/contract/client.ts'
import { expect, it, vi } from 'vitest'
import { chooseLanguage } from '#src/i18n/choose-language.ts'

vi.mock('#src/locales/vi/shell.json', () => {
  throw new TypeError('Failed to fetch dynamically imported module')
})

it('a language whose texts cannot be fetched is a server that cannot be reached', async () => {
  await expect(chooseLanguage(6)).rejects.toBeInstanceOf(Unreachable)
})
