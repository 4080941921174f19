/** /api/staff/money: the house's addresses on the chain, with which it shows what it holds. */
import * as z from 'zod/mini'
import { reserves } from './fairness-routes.ts'
import { centAmount, day, id, text } from './fields.ts'
import { defineStaffRoute } from './staff-route.ts'

/** What an address's own key has to sign, exactly. @param host of the house. @param day YYYY-MM-DD */
export function reserveStatement(of: { host: string; address: string; day: string }): string {
  return `${of.address} holds money of the players of ${of.host}. ${of.day}`
}

export const readReserves = defineStaffRoute({
  path: '/api/staff/money/reserves',
  summary: 'What the house owed and held at the last counts, and its addresses',
  action: 'reserves.read',
  reply: z.extend(reserves.reply, {
    /** For the statement of another address. */
    host: z.string(),
    today: z.string(),
  }),
})

export const addReserveAddress = defineStaffRoute({
  path: '/api/staff/money/addReserveAddress',
  summary: 'Lists an address of the house, whose own key has signed the statement',
  action: 'reserves.set',
  request: z.object({
    address: text({ max: 34 }),
    /** The day in the signed statement: at most a week ago. */
    day,
    /** 65 bytes in hexadecimal, as wallets show it. */
    signature: text({ max: 132 }),
  }),
})

export const removeReserveAddress = defineStaffRoute({
  path: '/api/staff/money/removeReserveAddress',
  summary: 'Takes an address off the list; later counts do not read it',
  action: 'reserves.set',
  request: z.object({ id }),
})

export const proposeBankBalance = defineStaffRoute({
  path: '/api/staff/money/proposeBankBalance',
  summary: 'Proposes what the bank’s statement says the house has there; another person confirms',
  action: 'reserves.proposeBank',
  request: z.object({
    money: centAmount,
    /** Of the statement: at most six days ago. An older one does not count. */
    day,
    reason: text({ max: 500 }),
  }),
})
