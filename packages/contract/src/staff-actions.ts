/**
 * The actions of staff, and the roles that may do each: the only such table. Each staff route names its
 * action; the server refuses other roles, and the console hides the actions that a role may not do.
 */
import { STAFF_ROLES, type StaffRole } from './route.ts'

/**
 * `read` shows something and is open to the auditor. `reveal` shows what is masked elsewhere, and is
 * audited. `change` changes something, and is never open to the auditor. `own` concerns the caller's
 * own account alone.
 */
export type ActionKind = 'read' | 'reveal' | 'change' | 'own'

type Action = { readonly kind: ActionKind; readonly roles: readonly StaffRole[] }

/** May move money. */
const CASHIERS: readonly StaffRole[] = ['owner', 'finance']
/** May see money, rounds, accounts, stops and robots without changing them. */
const READERS: readonly StaffRole[] = ['owner', 'finance', 'support', 'auditor']
/** May make proposals that another person confirms, and may stop betting. */
const ON_DUTY: readonly StaffRole[] = ['owner', 'finance', 'support']
/** May write the templates of messages to players. */
const CORRESPONDENTS: readonly StaffRole[] = ['owner', 'support']
/** May change the operator's terms, and may open betting again. */
const OWNERS: readonly StaffRole[] = ['owner']
/** May write articles, notices and banners, and may see them. */
const EDITORS: readonly StaffRole[] = ['owner', 'editor']
const CONTENT_READERS: readonly StaffRole[] = ['owner', 'support', 'editor', 'auditor']
/** May see the data of staff. */
const STAFF_READERS: readonly StaffRole[] = ['owner', 'auditor']

export const STAFF_ACTIONS = {
  'own.session': { kind: 'own', roles: STAFF_ROLES },
  'own.credentials': { kind: 'own', roles: STAFF_ROLES },

  'start.needs': { kind: 'read', roles: STAFF_ROLES },
  'shiftNotes.read': { kind: 'read', roles: READERS },
  'shiftNotes.write': { kind: 'change', roles: ON_DUTY },
  'start.figures': { kind: 'read', roles: READERS },

  'proposals.read': { kind: 'read', roles: READERS },
  'proposals.confirm': { kind: 'change', roles: CASHIERS },
  /** One's own by all of these, another person's by the roles in `ended_by` of `staff.proposal_kind`. */
  'proposals.end': { kind: 'change', roles: ON_DUTY },

  'players.read': { kind: 'read', roles: READERS },
  'players.note': { kind: 'change', roles: ON_DUTY },
  'players.message': { kind: 'change', roles: ON_DUTY },
  'templates.read': { kind: 'read', roles: READERS },
  'templates.write': { kind: 'change', roles: CORRESPONDENTS },
  /** Decides on an account that is similar to an excluded one. */
  'players.review': { kind: 'change', roles: ON_DUTY },
  'players.endSessions': { kind: 'change', roles: ON_DUTY },
  'players.requirePassword': { kind: 'change', roles: ON_DUTY },
  'players.proposeSecurityReset': { kind: 'change', roles: ON_DUTY },
  'players.freeze': { kind: 'change', roles: ON_DUTY },
  'players.unfreeze': { kind: 'change', roles: OWNERS },

  'withdrawals.read': { kind: 'read', roles: READERS },
  'withdrawals.payee': { kind: 'reveal', roles: CASHIERS },
  'withdrawals.decide': { kind: 'change', roles: CASHIERS },
  'withdrawals.pay': { kind: 'change', roles: CASHIERS },
  'withdrawals.return': { kind: 'change', roles: CASHIERS },
  'withdrawals.rest': { kind: 'change', roles: CASHIERS },
  'withdrawals.export': { kind: 'reveal', roles: CASHIERS },
  'identity.read': { kind: 'read', roles: READERS },
  'identity.see': { kind: 'reveal', roles: CASHIERS },
  'identity.decide': { kind: 'change', roles: CASHIERS },
  'identity.setTerms': { kind: 'change', roles: OWNERS },
  'bankDeposits.record': { kind: 'change', roles: ON_DUTY },
  'bankAccount.read': { kind: 'read', roles: READERS },
  'bankAccount.set': { kind: 'change', roles: OWNERS },
  'transfers.read': { kind: 'read', roles: READERS },
  'transfers.propose': { kind: 'change', roles: ON_DUTY },
  'transfers.decide': { kind: 'change', roles: CASHIERS },
  'heldDeposits.read': { kind: 'read', roles: READERS },
  'heldDeposits.propose': { kind: 'change', roles: ON_DUTY },
  'adjustments.propose': { kind: 'change', roles: ON_DUTY },
  'books.read': { kind: 'read', roles: READERS },
  'reserves.read': { kind: 'read', roles: READERS },
  'reserves.set': { kind: 'change', roles: OWNERS },
  'reserves.proposeBank': { kind: 'change', roles: CASHIERS },

  'rounds.read': { kind: 'read', roles: READERS },
  'rounds.proposeVoid': { kind: 'change', roles: ON_DUTY },
  'rooms.read': { kind: 'read', roles: READERS },
  'odds.propose': { kind: 'change', roles: CASHIERS },
  'odds.proposeForRooms': { kind: 'change', roles: OWNERS },
  'stops.read': { kind: 'read', roles: READERS },
  'stops.stop': { kind: 'change', roles: ON_DUTY },
  'stops.open': { kind: 'change', roles: OWNERS },
  'robots.read': { kind: 'read', roles: READERS },
  'robots.set': { kind: 'change', roles: OWNERS },

  'content.read': { kind: 'read', roles: CONTENT_READERS },
  'content.write': { kind: 'change', roles: EDITORS },
  'content.publish': { kind: 'change', roles: EDITORS },

  'reports.read': { kind: 'read', roles: READERS },

  'members.read': { kind: 'read', roles: STAFF_READERS },
  'members.change': { kind: 'change', roles: OWNERS },
  'alerts.read': { kind: 'read', roles: STAFF_READERS },
  'alerts.setWebhooks': { kind: 'change', roles: OWNERS },
  'settings.read': { kind: 'read', roles: STAFF_READERS },
  'audit.read': { kind: 'read', roles: STAFF_READERS },
} as const satisfies Record<string, Action>

export type StaffAction = keyof typeof STAFF_ACTIONS

/** Which roles may do it. */
export function rolesOf(action: StaffAction): readonly StaffRole[] {
  return STAFF_ACTIONS[action].roles
}

/** Whether a role may do it. */
export function mayDo(role: StaffRole, action: StaffAction): boolean {
  return rolesOf(action).includes(role)
}
