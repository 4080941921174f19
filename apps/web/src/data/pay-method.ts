import type { PayItem } from '@sum28/contract/replies.ts'

export type PayMethod = ReturnType<typeof payMethodFromWire>
export type PayKind = PayMethod['kind']
export type BankCard = Extract<PayMethod, { kind: 'card' }>
export type Wallet = Extract<PayMethod, { kind: 'wallet' }>

/** By their number in requests and addresses; a pay item's `status` numbers them the other way. */
const KINDS = ['card', 'wallet'] as const satisfies readonly PayKind[]

/** The number of a kind in requests and addresses: 0 bank card, 1 virtual wallet. */
export function numberOfKind(kind: PayKind): '0' | '1' {
  return kind === 'card' ? '0' : '1'
}

/** The kind named in an address; a bank card if it names none. */
export function kindOfNumber(type: string | undefined): PayKind {
  return KINDS[Number(type)] ?? 'card'
}

export function payMethodFromWire(item: PayItem) {
  if (item.status === '0') {
    return {
      kind: 'wallet' as const,
      id: item.id,
      address: item.acc,
      /** Such as `TRC20 (USDT)`, in the player's words. */
      type: item.acc_name,
    }
  }
  return {
    kind: 'card' as const,
    id: item.id,
    holder: item.acc,
    /** Of the card's number; the server never sends the rest. */
    lastFour: item.acc_name.slice(-4),
    bank: item.acc_bank,
    /** Empty where not given, as its name. */
    branchCode: item.sub,
    branchName: item.sub_name,
  }
}

export function payMethodName(method: PayMethod): string {
  return method.kind === 'card' ? method.bank : method.type
}

/** The short number of a method: `•••• 4242`, `TUEZSd…GWYdH`. */
export function maskedNumber(method: PayMethod): string {
  if (method.kind === 'card') return `•••• ${method.lastFour}`
  const { address } = method
  return address.length > 16 ? `${address.slice(0, 6)}…${address.slice(-5)}` : address
}

/** What money is paid out in: to a wallet USDT, one for each u; to a card u. */
export function unitOf(method: PayMethod | undefined): string {
  return method?.kind === 'wallet' ? 'USDT' : 'u'
}
