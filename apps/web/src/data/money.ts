/** The player's balance as one fact, whichever reply or event brings it. */
import { type Amount, amountFromWire } from '@sum28/domain/money.ts'
import { laterOf, type Versioned } from '#src/data/live/later.ts'

/** The version is the number of the player's last posting. */
export type Money = Versioned & { readonly balance: Amount }

type WireMoney = { readonly money: string; readonly version: string }

export function moneyFromWire({ money, version }: WireMoney): Money {
  return { balance: amountFromWire(money), version: BigInt(version) }
}

/** A reply with the balance, in which the later one of two balances stands. */
export function withLaterMoney<Reply extends WireMoney>(known: WireMoney, received: Reply): Reply {
  const later = laterOf<Versioned & { of: WireMoney }>(versioned(known), versioned(received)).of
  return later === received ? received : { ...received, money: later.money, version: later.version }
}

function versioned(of: WireMoney) {
  return { version: BigInt(of.version), of }
}
