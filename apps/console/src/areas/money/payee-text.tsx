import type { StaffWithdrawal } from '@sum28/contract/staff-routes.ts'

/** A payee in one line: a card's number masked, a wallet's address in full. */
export function PayeeText({ payee }: { payee: StaffWithdrawal['payee'] }) {
  const { label, bank_name: bank, number } = payee
  return (
    <>
      {[label, bank].filter(Boolean).join(', ')} <span className="num">{number}</span>
    </>
  )
}
