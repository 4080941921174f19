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
import { type Area, details, later, type SearchHit } from '#src/areas/area.ts'
import { keysetList, searchIn } from '#src/data/lists.ts'
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
      label: 'areas.money.withdrawals',
      action: 'withdrawals.read',
      loadList: keysetList(listWithdrawals),
      list: later(() => import('#src/areas/money/withdrawal-list.tsx'), 'WithdrawalList'),
      show: later(() => import('#src/areas/money/withdrawal-show.tsx'), 'WithdrawalShow'),
    },
    {
      name: 'deposits',
      icon: CallReceived,
      label: 'areas.money.deposits',
      action: 'heldDeposits.read',
      loadList: keysetList(listDeposits),
      list: later(() => import('#src/areas/money/money-lists.tsx'), 'DepositList'),
    },
    {
      name: 'bank-batches',
      icon: AccountBalance,
      label: 'areas.money.batches',
      action: 'withdrawals.read',
      loadList: keysetList(listBankBatches),
      list: later(() => import('#src/areas/money/bank-batches.tsx'), 'BankBatchList'),
      show: later(() => import('#src/areas/money/bank-batches.tsx'), 'BankBatchShow'),
    },
    {
      name: 'unmatched-transfers',
      icon: Help,
      label: 'areas.money.unmatched',
      action: 'transfers.read',
      loadList: keysetList(listUnmatchedTransfers, {
        idOf: ({ tx_id, log_index }: { tx_id: string; log_index: number }) =>
          `${tx_id}-${log_index}`,
      }),
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
      label: 'areas.money.heldDeposits',
      action: 'heldDeposits.read',
      loadList: keysetList(listHeldDeposits),
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
      label: 'areas.money.differences',
      action: 'books.read',
      loadList: keysetList(listChainDifferences),
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
  searches: [
    { label: 'areas.money.withdrawals', action: 'withdrawals.read', find: findWithdrawals },
    { label: 'areas.money.unmatched', action: 'transfers.read', find: findTransfers },
    { label: 'areas.money.heldDeposits', action: 'heldDeposits.read', find: findHeldDeposits },
    { label: 'areas.money.batches', action: 'withdrawals.read', find: findBatches },
  ],
}

type Find = (text: string, signal: AbortSignal) => Promise<readonly SearchHit[]>

async function findWithdrawals(...[q, signal]: Parameters<Find>): ReturnType<Find> {
  const found = await searchIn<StaffWithdrawal>(listWithdrawals, q, signal)
  return found.map(({ id, username, quantity, payee }) => ({
    to: `/withdrawals/${id}/show`,
    title: details(id, username),
    details: details(`${quantity} u`, payee.bank_name, payee.number),
  }))
}

async function findTransfers(...[q, signal]: Parameters<Find>): ReturnType<Find> {
  const found = await searchIn<WireUnmatchedTransfer>(listUnmatchedTransfers, q, signal)
  return found.map(({ tx_id: tx, log_index: log, quantity }) => ({
    to: `/unmatched-transfers/${tx}-${log}/show`,
    title: `${tx.slice(0, 10)}…`,
    details: `${quantity} u`,
  }))
}

async function findHeldDeposits(...[q, signal]: Parameters<Find>): ReturnType<Find> {
  const found = await searchIn<HeldDeposit>(listHeldDeposits, q, signal)
  return found.map(({ id, username, quantity }) => ({
    to: `/held-deposits/${id}/show`,
    title: details(id, username),
    details: `${quantity} u`,
  }))
}

async function findBatches(...[q, signal]: Parameters<Find>): ReturnType<Find> {
  // A name finds no batch.
  if (!/^\d+$/.test(q)) return []
  const found = await searchIn<BankBatch>(listBankBatches, q, signal)
  return found.map(({ id, quantity, made_by: maker }) => ({
    to: `/bank-batches/${id}/show`,
    title: String(id),
    details: details(`${quantity} u`, maker),
  }))
}
