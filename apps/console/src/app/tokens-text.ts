/** The product's tokens, read from the text of their style sheet. */

export type Scheme = 'light' | 'dark'
type Tokens = { readonly [name: string]: string }

/** Reads `--name: value;` of the first rule of `:root`; for dark also those of the second. */
export function readTokens(text: string): Record<Scheme, Tokens> {
  const [light = '', dark = ''] = text.split('@media (prefers-color-scheme: dark)')
  const common = declarationsOf(ruleOf(light))
  return { light: common, dark: { ...common, ...declarationsOf(ruleOf(dark)) } }
}

function ruleOf(text: string): string {
  return /:root\s*\{([^}]*)\}/.exec(text)?.[1] ?? ''
}

function declarationsOf(rule: string): Tokens {
  const plain = rule.replaceAll(/\/\*[\s\S]*?\*\//g, '')
  return Object.fromEntries(
    [...plain.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [
      name,
      value.trim(),
    ]),
  )
}
