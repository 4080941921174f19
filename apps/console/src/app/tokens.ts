/** The product's tokens as values, for libraries that calculate with colours. */
import css from '@sum28/ui/styles/tokens.css?raw'
import { readTokens, type Scheme } from '#src/app/tokens-text.ts'

export const TOKENS = readTokens(css)

/** A token's value. @throws if no token has this name */
export function token(scheme: Scheme, name: string): string {
  const value = TOKENS[scheme][`--${name}`]
  if (value === undefined) throw new Error(`there is no token --${name}`)
  return value
}
