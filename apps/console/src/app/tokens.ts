/** The product's tokens as values, for libraries that calculate with colours. */
import css from '@sum28/ui/styles/tokens.css?raw'

/** A colour in light and in dark; each may have brackets of its own. */
const LIGHT_DARK = /light-dark\(((?:[^(),]|\([^)]*\))+), ((?:[^(),]|\([^)]*\))+)\)/g

export const TOKENS = readTokens(css)

/** A token's value. @throws if no token has this name */
export function token(scheme: Scheme, name: string): string {
  const value = TOKENS[scheme][`--${name}`]
  if (value === undefined) throw new Error(`there is no token --${name}`)
  return value
}

export type Scheme = 'light' | 'dark'
type Tokens = { readonly [name: string]: string }

/** Reads `--name: value;` of the first rule of `:root`, with the half of each `light-dark()` that a scheme takes. */
export function readTokens(text: string): Record<Scheme, Tokens> {
  const of = (half: '$1' | '$2') => declarationsOf(ruleOf(text).replaceAll(LIGHT_DARK, half))
  return { light: of('$1'), dark: of('$2') }
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
