/** The product's tokens as values, for libraries that calculate with colours. */
import css from '@sum28/ui/styles/tokens.css?raw'

export const TOKENS = readTokens(css)

/** A token's value. @throws if no token has this name */
export function token(scheme: Scheme, name: string): string {
  const value = TOKENS[scheme][`--${name}`]
  if (value === undefined) throw new Error(`there is no token --${name}`)
  return value
}

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
