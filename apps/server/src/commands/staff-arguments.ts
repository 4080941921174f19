/** The arguments of `npm run console:staff`. */
import { parseArgs } from 'node:util'
import { STAFF_ROLES, type StaffRole } from '@sum28/contract/route.ts'
import { isStaffRole } from '#src/modules/staff/make-staff.ts'
import { StartError } from '#src/process/start-error.ts'

export const USAGE = `Makes, resets or closes the account of a member of staff.

  npm run console:staff -- --name ann --role finance      makes an account and prints its first password;
                                                          its TOTP secret is made at the first sign-in
  npm run console:staff -- --name ann --reset             gives it another first password, and with --role
                                                          another role; its recovery codes are void
  npm run console:staff -- --name ann --close             closes it; --reset opens it again
  npm run console:staff -- --name owner --code            prints what one of the demo's people signs in with now

--with-secret, with --role or --reset, prints the TOTP secret too: for programs that sign in by themselves.

Roles: ${STAFF_ROLES.join(', ')}.

It needs the settings of the product: those of a process with ROLE=api, whose DATABASE_URL is a member of sum28_api, or
those of the one process with ROLE=all.`

export type StaffRequest =
  | { act: 'help' }
  | { act: 'make'; name: string; role: StaffRole; withSecret: boolean }
  | { act: 'reset'; name: string; role: StaffRole | null; withSecret: boolean }
  | { act: 'close'; name: string }
  | { act: 'code'; name: string }

/** Parses the arguments. @throws StartError that says which argument is wrong. */
export function readStaffArguments(args: readonly string[]): StaffRequest {
  const { name: given, role, reset, close, code, help, 'with-secret': secret } = valuesOf(args)
  const withSecret = secret ?? false
  if (help) return { act: 'help' }
  const name = given?.trim().toLowerCase()
  if (!name) throw wrong('--name is missing')
  if (role !== undefined && !isStaffRole(role)) throw wrong(`'${role}' is not a role`)
  if (reset && close) throw wrong('--reset and --close exclude each other')
  if (code) return { act: 'code', name }
  if (close) return { act: 'close', name }
  if (reset) return { act: 'reset', name, role: role ?? null, withSecret }
  if (role === undefined) throw wrong('--role is missing (or --reset, for an account there is)')
  return { act: 'make', name, role, withSecret }
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
        code: { type: 'boolean' },
        'with-secret': { type: 'boolean' },
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
