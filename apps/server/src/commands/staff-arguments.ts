/** What `npm run console:staff` is asked to do. */
import { parseArgs } from 'node:util'
import { STAFF_ROLES, type StaffRole } from '@sum28/contract/route.ts'
import { StartError } from '#src/adapters/postgres/start-error.ts'
import { isStaffRole } from '#src/modules/staff/make-staff.ts'

export const USAGE = `Makes, resets or closes the account of a member of staff.

  npm run console:staff -- --name ann --role finance      makes an account
  npm run console:staff -- --name ann --reset             gives it another password and TOTP secret,
                                                          and with --role another role
  npm run console:staff -- --name ann --close             closes it; --reset opens it again

Roles: ${STAFF_ROLES.join(', ')}.`

export type StaffRequest =
  | { act: 'help' }
  | { act: 'make'; name: string; role: StaffRole }
  | { act: 'reset'; name: string; role: StaffRole | null }
  | { act: 'close'; name: string }

/** Reads the arguments. @throws StartError that says which of them is wrong. */
export function readStaffArguments(args: readonly string[]): StaffRequest {
  const { name: given, role, reset, close, help } = valuesOf(args)
  if (help) return { act: 'help' }
  const name = given?.trim().toLowerCase()
  if (!name) throw wrong('--name is missing')
  if (role !== undefined && !isStaffRole(role)) throw wrong(`'${role}' is not a role`)
  if (reset && close) throw wrong('--reset and --close exclude each other')
  if (close) return { act: 'close', name }
  if (reset) return { act: 'reset', name, role: role ?? null }
  if (role === undefined) throw wrong('--role is missing (or --reset, for an account there is)')
  return { act: 'make', name, role }
}

function valuesOf(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        name: { type: 'string' },
        role: { type: 'string' },
        reset: { type: 'boolean' },
        close: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error))
  }
}

function wrong(what: string): StartError {
  return new StartError(`${what}.\n\n${USAGE}`)
}
