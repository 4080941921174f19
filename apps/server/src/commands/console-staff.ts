/** `npm run console:staff`: makes, resets or closes the account of a member of staff. */
import { existsSync } from 'node:fs'
import { type Config, type Environment, readConfig, takeEnvironment } from '#src/config.ts'
import { demoPerson, demoStaffFile, rewriteDemoStaff } from '#src/modules/staff/demo-staff.ts'
import {
  type Credentials,
  closeStaff,
  makeStaff,
  resetStaff,
  type StaffRefusal,
} from '#src/modules/staff/make-staff.ts'
import { StartError } from '#src/process/start-error.ts'
import { totpCodeOf } from '#src/secrets/one-time-codes.ts'
import { openCommandDatabase, runCommand } from './command-database.ts'
import { readStaffArguments, USAGE } from './staff-arguments.ts'

const BY = 'console:staff'

if (import.meta.main) await runCommand(() => carryOut(process.argv.slice(2), takeEnvironment))

/** Does what the arguments ask for. @returns what there is to print. @throws StartError, one sentence that says why not */
export async function carryOut(
  args: readonly string[],
  environment: () => Environment,
): Promise<string> {
  const request = readStaffArguments(args)
  if (request.act === 'help') return USAGE
  const config = readConfig(environment())
  if (request.act === 'code') return codeOfNow(config, request.name)
  const { db, cipher, close } = await openCommandDatabase(config)
  try {
    if (request.act === 'close') {
      const refused = await closeStaff(db, { ...request, by: BY })
      if (refused) throw new StartError(sentenceFor(refused, request.name))
      return `The account ${request.name} is closed, and its sessions have ended.`
    }
    const inDemo = config.profile === 'demo' && demoPerson(config.dataDir, request.name) !== null
    const withSecret = request.withSecret || inDemo
    const member = { ...request, enrolled: withSecret, by: BY }
    const made =
      member.act === 'reset'
        ? await resetStaff({ db, cipher }, member)
        : await db.transaction((tx) => makeStaff({ tx, cipher }, member))
    if (typeof made === 'string') throw new StartError(sentenceFor(made, request.name))
    if (!withSecret) return shownFirstPassword(made)
    const noted = inDemo && rewriteDemoStaff(config.dataDir, made)
    return shown(made, noted ? demoStaffFile(config.dataDir) : null)
  } finally {
    await close()
  }
}

/** The sign-in code of a member of the demo's staff at present, which is valid for half a minute. */
function codeOfNow({ profile, dataDir }: Config, name: string): string {
  const file = demoStaffFile(dataDir)
  if (profile === 'demo' && !existsSync(file)) {
    throw new StartError(
      `There is no file ${file} with the demo's people: name the product's folder with DATA_DIR, or start the product once with \`npm start\`.`,
    )
  }
  const person = profile === 'demo' ? demoPerson(dataDir, name) : null
  if (!person) {
    throw new StartError(
      `'${name}' is none of the demo's people in ${file}: only their codes are known here.`,
    )
  }
  const code = totpCodeOf(person.totp_secret, Date.now())
  return `\n  Name      ${name}\n  Password  ${person.password}\n  Code      ${code}\n`
}

function shownFirstPassword({ name, role, password }: Credentials): string {
  return [
    '',
    `  Name      ${name}`,
    `  Role      ${role}`,
    `  Password  ${password}`,
    '',
    'It is shown this once. It is good for the first sign-in at the console, which asks for another one.',
    'No alert reaches a member without an e-mail address: it is given there under My account.',
    '',
  ].join('\n')
}

function shown({ name, role, password, totpSecret, otpauth }: Credentials, file: string | null) {
  return [
    '',
    `  Name         ${name}`,
    `  Role         ${role}`,
    `  Password     ${password}`,
    `  TOTP secret  ${totpSecret}`,
    `  TOTP URL     ${otpauth}`,
    '',
    file ? `They are in ${file} too.` : 'They are shown this once: keep them now.',
    '',
  ].join('\n')
}

function sentenceFor(refusal: StaffRefusal, name: string): string {
  return {
    name_malformed: `'${name}' is no name for an account: 2 to 32 lower-case letters, digits, dots, dashes or underscores, the first a letter.`,
    name_taken: `There is an account ${name} already: give it a new password with --reset.`,
    nobody: `There is no account ${name}: make it by leaving --reset or --close out and naming a --role.`,
  }[refusal]
}
