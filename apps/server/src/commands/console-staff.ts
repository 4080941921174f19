/** `npm run console:staff`: makes, resets or closes the account of a member of staff. */
import { StartError } from '#src/adapters/postgres/start-error.ts'
import { environmentWithFile, readConfig } from '#src/config.ts'
import { MigrationError } from '#src/db/migration-step.ts'
import { demoStaffFile, rewriteDemoStaff } from '#src/modules/staff/demo-staff.ts'
import {
  type Credentials,
  closeStaff,
  makeStaff,
  resetStaff,
  type StaffRefusal,
} from '#src/modules/staff/make-staff.ts'
import { sealer as makeSealer } from '#src/sealer.ts'
import { openCommandDatabase } from './command-database.ts'
import { readStaffArguments, type StaffRequest, USAGE } from './staff-arguments.ts'

const BY = 'console:staff'

try {
  const request = readStaffArguments(process.argv.slice(2))
  console.log(request.act === 'help' ? USAGE : await carryOut(request))
} catch (error) {
  const known = error instanceof StartError || error instanceof MigrationError
  console.error(`\n${known ? error.message : error instanceof Error ? error.stack : error}\n`)
  process.exitCode = 1
}

/** Runs the command and prints its result. */
async function carryOut(request: Exclude<StaffRequest, { act: 'help' }>): Promise<string> {
  const config = readConfig(environmentWithFile())
  const { db, secretKey, close } = await openCommandDatabase(config)
  const sealer = makeSealer(secretKey, config.secretKeysPrevious)
  try {
    if (request.act === 'close') {
      const refused = await closeStaff(db, { ...request, by: BY })
      if (refused) throw new StartError(sentenceFor(refused, request.name))
      return `The account ${request.name} is closed, and its sessions have ended.`
    }
    const made =
      request.act === 'reset'
        ? await resetStaff({ db, sealer }, { ...request, by: BY })
        : await db.transaction((tx) => makeStaff({ tx, sealer }, { ...request, by: BY }))
    if (typeof made === 'string') throw new StartError(sentenceFor(made, request.name))
    const noted = config.profile === 'demo' && rewriteDemoStaff(config.dataDir, made)
    return shown(made, noted ? demoStaffFile(config.dataDir) : null)
  } finally {
    await close()
  }
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
