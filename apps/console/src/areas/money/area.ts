import AccountBalance from '@mui/icons-material/AccountBalanceOutlined'
import Balance from '@mui/icons-material/Balance'
import CallReceived from '@mui/icons-material/CallReceived'
import CreditCard from '@mui/icons-material/CreditCardOutlined'
import Help from '@mui/icons-material/HelpOutlined'
import Link from '@mui/icons-material/Link'
import PauseCircle from '@mui/icons-material/PauseCircleOutlined'
import Payments from '@mui/icons-material/PaymentsOutlined'
import Shield from '@mui/icons-material/ShieldOutlined'
import { type BankBatch, listBankBatches } from '@sum28/contract/staff-bank-routes.ts'
import { type HeldDeposit, listHeldDeposits } from '@sum28/contract/staff-money-routes.ts'
import { listDeposits } from '@sum28/contract/staff-players-routes.ts'
import {
  listChainDifferences,
  listWithdrawals,
  type StaffWithdrawal,
} from '@sum28/contract/staff-routes.ts'
import {
  listUnmatchedTransfers,
  type WireUnmatchedTransfer,
} from '@sum28/contract/staff-transfer-routes.ts'
import { type Area, details, later } from '#src/areas/area.ts'
import texts from './en.json'

/** Withdrawals, deposits, and the books. */
export const money: Area = {
  name: 'money',
  label: 'areas.money.title',
  texts,
  places: [
    {
      name: 'withdrawals',
      icon: Payments,
      route: listWithdrawals,
      search: {
        show: ({ id, username, quantity, payee }: StaffWithdrawal) => ({
          title: details(id, username),
          details: details(`${quantity} u`, payee.bank_name, payee.number),
        }),
      },
      list: later(() => import('#src/areas/money/withdrawal-list.tsx'), 'WithdrawalList'),
      show: later(() => import('#src/areas/money/withdrawal-show.tsx'), 'WithdrawalShow'),
    },
    {
      name: 'deposits',
      icon: CallReceived,
      route: listDeposits,
      list: later(() => import('#src/areas/money/money-lists.tsx'), 'DepositList'),
    },
    {
      name: 'bank-batches',
      icon: AccountBalance,
      route: listBankBatches,
      search: {
        byNumber: true,
        show: ({ id, quantity, made_by: maker }: BankBatch) => ({
          title: String(id),
          details: details(`${quantity} u`, maker),
        }),
      },
      list: later(() => import('#src/areas/money/bank-batches.tsx'), 'BankBatchList'),
      show: later(() => import('#src/areas/money/bank-batches.tsx'), 'BankBatchShow'),
    },
    {
      name: 'unmatched-transfers',
      icon: Help,
      route: listUnmatchedTransfers,
      idOf: ({ tx_id: tx, log_index: log }: WireUnmatchedTransfer) => `${tx}-${log}`,
      search: {
        show: ({ tx_id: tx, quantity }: WireUnmatchedTransfer) => ({
          title: `${tx.slice(0, 10)}…`,
          details: `${quantity} u`,
        }),
      },
      list: later(
        () => import('#src/areas/money/unmatched-transfers.tsx'),
        'UnmatchedTransferList',
      ),
      show: later(
        () => import('#src/areas/money/unmatched-transfers.tsx'),
        'UnmatchedTransferShow',
      ),
    },
    {
      name: 'held-deposits',
      icon: PauseCircle,
      route: listHeldDeposits,
      search: {
        show: ({ id, username, quantity }: HeldDeposit) => ({
          title: details(id, username),
          details: `${quantity} u`,
        }),
      },
      list: later(() => import('#src/areas/money/held-deposits.tsx'), 'HeldDepositList'),
      show: later(() => import('#src/areas/money/held-deposits.tsx'), 'HeldDepositShow'),
    },
    {
      name: 'reserves',
      icon: Shield,
      label: 'areas.money.reserves.title',
      action: 'reserves.read',
      page: later(() => import('#src/areas/money/reserves-page.tsx'), 'ReservesPage'),
    },
    {
      name: 'books',
      icon: Balance,
      label: 'areas.money.books',
      action: 'books.read',
      page: later(() => import('#src/areas/money/books-page.tsx'), 'BooksPage'),
    },
    {
      name: 'chain-differences',
      icon: Link,
      route: listChainDifferences,
      list: later(
        () => import('#src/areas/money/chain-difference-list.tsx'),
        'ChainDifferenceList',
      ),
    },
    {
      name: 'bank-account',
      icon: CreditCard,
      label: 'areas.money.bankAccount',
      action: 'bankAccount.read',
      page: later(() => import('#src/areas/money/bank-account-page.tsx'), 'BankAccountPage'),
    },
  ],
}
