/** /api/staff: the operator's calls. Each is limited to some roles; each that acts is audited. */
import * as z from 'zod/mini'
import {
  digits,
  id,
  optionalText,
  pageFields,
  password,
  paymentReference,
  stakeAmount,
  text,
} from './fields.ts'
import { listOf, money, unix } from './replies.ts'
import { defineRoute, type Route, STAFF_ROLES } from './route.ts'
import * as house from './staff-house-routes.ts'
import { CASHIERS, MONEY_READERS, ON_DUTY, OWNERS } from './staff-roles.ts'
import * as rounds from './staff-round-routes.ts'
import * as transfers from './staff-transfer-routes.ts'

export const staffLogin = defineRoute({
  method: 'POST',
  path: '/api/staff/login',
  summary: 'Signs a member of staff in, by password and TOTP code',
  auth: 'none',
  rate: 'sign_in',
  request: z.object({ account: text({ max: 64 }), password, totp: digits(6) }),
  reply: z.object({ token: z.string(), name: z.string(), role: z.enum(STAFF_ROLES) }),
})

export const staffLogout = defineRoute({
  method: 'POST',
  path: '/api/staff/logout',
  summary: 'Ends the staff session',
  auth: 'staff',
  roles: STAFF_ROLES,
  rate: 'write',
  request: z.object({}),
  reply: z.null(),
})

export const staffWithdrawal = z.object({
  id: z.int(),
  user_id: z.int(),
  username: z.string(),
  quantity: money,
  state: z.enum(['waiting', 'approved', 'rejected']),
  requested_at: unix,
  decided_at: z.nullable(unix),
  first_approved_by: z.nullable(z.string()),
  decided_by: z.nullable(z.string()),
  reject_reason: z.nullable(z.string()),
  payout_reference: z.nullable(z.string()),
  paid_at: z.nullable(unix),
  /** The payee: a card's number masked, a wallet's address in full. */
  payee: z.object({
    kind: z.enum(['bank', 'wallet']),
    number: z.string(),
    label: z.string(),
    bank_name: z.string(),
    branch_code: z.string(),
    branch_name: z.string(),
  }),
  /** Whether two people have to approve it. */
  two_persons: z.boolean(),
  /** Whether the player's account is frozen. */
  frozen: z.boolean(),
})
export type StaffWithdrawal = z.infer<typeof staffWithdrawal>

export const listWithdrawals = defineRoute({
  method: 'POST',
  path: '/api/staff/withdrawals',
  summary: 'Withdrawals, oldest waiting first, then newest first',
  auth: 'staff',
  roles: MONEY_READERS,
  rate: 'read',
  request: z.object({
    state: z.optional(z.enum(['waiting', 'approved', 'rejected'], { error: 'choice' })),
    ...pageFields,
  }),
  reply: listOf(staffWithdrawal),
})

export const withdrawalPayee = defineRoute({
  method: 'POST',
  path: '/api/staff/withdrawals/payee',
  summary: 'The whole card number or address of a withdrawal; that it was read is audited',
  auth: 'staff',
  roles: CASHIERS,
  rate: 'read',
  request: z.object({ id }),
  reply: z.object({ number: z.string() }),
})

export const approveWithdrawal = defineRoute({
  method: 'POST',
  path: '/api/staff/withdrawals/approve',
  summary: 'Approves a withdrawal; from the threshold on, two different people have to',
  auth: 'staff',
  roles: CASHIERS,
  rate: 'write',
  request: z.object({ id }),
  reply: z.object({ state: z.enum(['first_approval', 'approved']) }),
})

export const rejectWithdrawal = defineRoute({
  method: 'POST',
  path: '/api/staff/withdrawals/reject',
  summary: 'Rejects a withdrawal and returns the money',
  auth: 'staff',
  roles: CASHIERS,
  rate: 'write',
  request: z.object({ id, reason: text({ max: 200 }) }),
  reply: z.null(),
})

export const recordPayout = defineRoute({
  method: 'POST',
  path: '/api/staff/withdrawals/payout',
  summary: 'Records that an approved withdrawal was paid, with its transaction or bank reference',
  auth: 'staff',
  roles: CASHIERS,
  rate: 'write',
  request: z.object({ id, reference: paymentReference }),
  reply: z.null(),
})

export const staffBankDeposit = z.object({
  id: z.int(),
  user_id: z.int(),
  username: z.string(),
  quantity: money,
  reference: z.string(),
  state: z.enum(['recorded', 'confirmed', 'refused']),
  recorded_by: z.string(),
  recorded_at: unix,
  decided_by: z.nullable(z.string()),
  decided_at: z.nullable(unix),
})
export type StaffBankDeposit = z.infer<typeof staffBankDeposit>

export const listBankDeposits = defineRoute({
  method: 'POST',
  path: '/api/staff/bankDeposits',
  summary: 'Bank deposits, newest first',
  auth: 'staff',
  roles: MONEY_READERS,
  rate: 'read',
  request: z.object({
    state: z.optional(z.enum(['recorded', 'confirmed', 'refused'], { error: 'choice' })),
    ...pageFields,
  }),
  reply: listOf(staffBankDeposit),
})

export const recordBankDeposit = defineRoute({
  method: 'POST',
  path: '/api/staff/bankDeposits/record',
  summary: "Records a bank deposit under the bank's own reference; another person confirms it",
  auth: 'staff',
  roles: ON_DUTY,
  rate: 'write',
  request: z.object({ user_id: id, money: stakeAmount, reference: paymentReference }),
  reply: z.object({ id: z.int() }),
})

export const confirmBankDeposit = defineRoute({
  method: 'POST',
  path: '/api/staff/bankDeposits/confirm',
  summary: 'Confirms a bank deposit that another person recorded, and credits it',
  auth: 'staff',
  roles: CASHIERS,
  rate: 'write',
  request: z.object({ id }),
  reply: z.null(),
})

export const refuseBankDeposit = defineRoute({
  method: 'POST',
  path: '/api/staff/bankDeposits/refuse',
  summary: 'Refuses a bank deposit that was recorded wrongly; nothing is credited',
  auth: 'staff',
  roles: CASHIERS,
  rate: 'write',
  request: z.object({ id, reason: text({ max: 200 }) }),
  reply: z.null(),
})

const bankAccountFields = z.object({
  bankname: z.string(),
  banknum: z.string(),
  bankxm: z.string(),
})

export const bankAccount = defineRoute({
  method: 'POST',
  path: '/api/staff/bankAccount',
  summary: 'The account that players send bank deposits to',
  auth: 'staff',
  roles: MONEY_READERS,
  rate: 'read',
  request: z.object({}),
  reply: z.nullable(bankAccountFields),
})

export const setBankAccount = defineRoute({
  method: 'POST',
  path: '/api/staff/bankAccount/set',
  summary: 'Sets the account for bank deposits; without fields there is none, and none is shown',
  auth: 'staff',
  roles: OWNERS,
  rate: 'write',
  request: z.object({
    bankname: optionalText(100),
    banknum: optionalText(40),
    bankxm: optionalText(100),
  }),
  reply: z.nullable(bankAccountFields),
})

export const listChainDifferences = defineRoute({
  method: 'POST',
  path: '/api/staff/chainDifferences',
  summary: 'What the daily comparison of chain and ledger found, newest first',
  auth: 'staff',
  roles: MONEY_READERS,
  rate: 'read',
  request: z.object({ ...pageFields }),
  reply: listOf(
    z.object({
      id: z.int(),
      found_at: unix,
      kind: z.enum(['missing_in_ledger', 'missing_on_chain', 'amount_differs', 'unmatched']),
      tx_id: z.string(),
      log_index: z.int(),
      /** What staff decided about an `unmatched` transfer. */
      settled: z.nullable(z.enum(['assigned', 'dismissed'])),
      details: z.record(z.string(), z.unknown()),
    }),
  ),
})

export const auditLog = defineRoute({
  method: 'POST',
  path: '/api/staff/audit',
  summary:
    'What staff did, newest first, and the first row that does not follow from the one before',
  auth: 'staff',
  roles: ['owner', 'auditor'],
  rate: 'read',
  request: z.object({ ...pageFields }),
  reply: z.object({
    list: z.array(
      z.object({
        id: z.int(),
        at: unix,
        staff: z.nullable(z.string()),
        action: z.string(),
        subject: z.string(),
        details: z.record(z.string(), z.unknown()),
        hash: z.string(),
      }),
    ),
    total: z.int(),
    page: z.int(),
    /** Null as long as the log is intact. */
    broken_at: z.nullable(z.int()),
  }),
})

/** Every call of the operator's people. */
export const STAFF_ROUTES: readonly Route[] = [
  staffLogin,
  staffLogout,
  listWithdrawals,
  withdrawalPayee,
  approveWithdrawal,
  rejectWithdrawal,
  recordPayout,
  listBankDeposits,
  recordBankDeposit,
  confirmBankDeposit,
  refuseBankDeposit,
  bankAccount,
  setBankAccount,
  transfers.listUnmatchedTransfers,
  transfers.assignTransfer,
  transfers.confirmAssignment,
  transfers.refuseAssignment,
  transfers.dismissTransfer,
  transfers.reopenTransfer,
  listChainDifferences,
  rounds.proposeVoid,
  rounds.confirmVoid,
  house.stops,
  house.stopBetting,
  house.openBetting,
  house.robots,
  house.setRobots,
  house.listFrozenAccounts,
  house.listAddressConflicts,
  house.freezeAccount,
  house.unfreezeAccount,
  house.listMembers,
  house.closeMember,
  auditLog,
]
