/**
 * Rows of the database in the contract's form, by the names of their columns: `proposedAt` is `proposed_at` in whole
 * seconds, `playerId` is `user_id`, and every bigint is a number if it is an id, else an amount as decimal text.
 */
import { type Amount, formatAmount } from '@sum28/domain/money.ts'

/** The contract's names that are not ours. */
const NAMES = { playerId: 'user_id', amount: 'quantity' } as const

type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : ''

type WireName<Name> = Name extends keyof typeof NAMES
  ? (typeof NAMES)[Name]
  : Name extends string
    ? Snake<Name>
    : never

type WireValue<Name, Value> = Value extends bigint
  ? Name extends 'id' | `${string}Id`
    ? number
    : string
  : Value

export type Wire<Row> = { [Name in keyof Row as WireName<Name>]: WireValue<Name, Row[Name]> }

type Camel<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<Camel<Rest>>}`
  : Name

type RowName<Name> = Name extends 'user_id'
  ? 'playerId'
  : Name extends 'quantity'
    ? 'amount'
    : Camel<Name & string>

type RowValue<Name, Value, Amounts> = Name extends Amounts
  ? Amount | Extract<Value, null>
  : Name extends 'id'
    ? Value extends number
      ? number | bigint
      : Value
    : Value

/** The row of which the contract's item is the wire form. `Amounts` names its amounts; instants are in milliseconds. */
export type RowOf<Item, Amounts = never> = {
  [Name in keyof Item as RowName<Name>]: RowValue<RowName<Name>, Item[Name], Amounts>
}

/**
 * A player's free balance, what is set aside for withdrawals and of held deposits, and the number of his last posting,
 * which tells the later one of two balances.
 */
export type Balance = { readonly cash: Amount; readonly held: Amount; readonly version: bigint }

type FreeBalance = Pick<Balance, 'cash' | 'version'>

export function wireBalance({ cash, version }: FreeBalance): { money: string; version: string } {
  return { money: formatAmount(cash), version: String(version) }
}

/** The same with what is set aside. */
export function wireAssets({ held, ...free }: Balance) {
  return { ...wireBalance(free), held: formatAmount(held) }
}

export function wireOf<Row extends object>(row: Row): Wire<Row> {
  const entries = Object.entries(row).map(([name, value]) => [
    NAMES[name as keyof typeof NAMES] ??
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    wireValue(name, value),
  ])
  return Object.fromEntries(entries)
}

function wireValue(name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return /^id$|Id$/.test(name) ? Number(value) : formatAmount(value)
  return typeof value === 'number' && /^at$|(At|Until)$/.test(name) ? unixSeconds(value) : value
}

/** An instant on the wire: whole Unix seconds, rounded down. @param at in milliseconds since 1970 */
export function unixSeconds(at: number): number {
  return Math.floor(at / 1000)
}

/** The same for an instant that may be absent. */
export function unixSecondsOrNull(at: number | null): number | null {
  return at === null ? null : unixSeconds(at)
}

/**
 * A user name with a masked middle. At least four characters are hidden, or all but the first: who registers tells taken
 * names from free ones, and would find one or two by trying all.
 */
export function maskedName(username: string): string {
  const atEnd = Math.max(0, Math.min(2, Math.floor((username.length - 4) / 2)))
  const atFront = Math.max(1, atEnd)
  return `${username.slice(0, atFront)}**${atEnd === 0 ? '' : username.slice(-atEnd)}`
}

/** An address as its owner recognises it, and nobody else. */
export function maskedEmail(email: string): string {
  return email.replace(/^(.).*(?=@)/, '$1***')
}
