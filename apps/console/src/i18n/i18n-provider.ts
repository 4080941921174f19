/** The console's texts: react-admin's own, the shell's and those of the areas. */
import polyglotI18nProvider from 'ra-i18n-polyglot'
import englishMessages from 'ra-language-english'
import { AREAS } from '#src/areas/all.ts'
import type { Texts } from '#src/areas/area.ts'
import shell from '#src/i18n/en.json'

/** To add a language, add a file beside each `en.json`, and import it here. */
function messages(): Texts {
  const all = [shell as Texts, ...AREAS.map(({ texts }) => texts)]
  return all.reduce<Texts>(merged, englishMessages as unknown as Texts)
}

function merged(one: Texts, other: Texts): Texts {
  const both: Record<string, string | Texts> = { ...one }
  for (const [key, value] of Object.entries(other)) {
    const before = both[key]
    both[key] =
      typeof before === 'object' && typeof value === 'object' ? merged(before, value) : value
  }
  return both
}

export const i18nProvider = polyglotI18nProvider(() => messages() as never, 'en', {
  // Sentences of the server pass through here too; they are not keys.
  allowMissing: true,
})
