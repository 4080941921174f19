import { existsSync } from 'node:fs'
import type { Role } from '#src/config.ts'

/** What a start prints on the terminal: the addresses of everything that is available. */
export type Greeted = {
  profile: 'demo' | 'production'
  role?: Role
  url: string
  /** Whether mail is captured, and whether the chain is the local one. */
  capturedMail: boolean
  localChain: boolean
  /** Of the demo's staff accounts: {@link staffNote}. */
  staff: string
  /** The console's own origin; null if it shares the app's. */
  consoleUrl?: string | null
}

export function greeting({
  profile,
  role = 'all',
  url,
  capturedMail,
  localChain,
  staff,
  consoleUrl,
}: Greeted): string {
  // The demo's pages exist in the demo only, whatever test services a production configuration allows.
  const demo = profile === 'demo'
  if (role === 'engine' || role === 'jobs') {
    return `Sum28’s ${role} is running (${profile} profile); ${url}/readyz says how it is.\n\nCtrl-C stops it.`
  }
  return [
    `Sum28 is running (${profile} profile).`,
    '',
    `  App        ${url}`,
    `  Console    ${consoleUrl ?? url}/console`,
    ...(demo && capturedMail
      ? [`  Mail       ${url}/dev/mail   (captured: the codes are here)`]
      : []),
    ...(demo && localChain ? [`  Test USDT  ${url}/dev`] : []),
    ...(demo ? [`  Staff      ${staff}`] : []),
    ...(!demo && capturedMail
      ? ['  Mail       goes nowhere: it is captured, and there is no page that shows it']
      : []),
    ...(!demo && localChain ? ['  Deposits   are none: the chain is the local one'] : []),
    '',
    'Ctrl-C stops it.',
  ].join('\n')
}

/** How one signs in as the demo's owner. @param file with the demo's accounts, which one of several processes has */
export function staffNote(file: string): string {
  // The image has no npm.
  const command = process.env.npm_execpath
    ? 'npm run console:staff --'
    : 'node apps/server/src/commands/console-staff.ts'
  return existsSync(file)
    ? `account owner: password and TOTP secret are in ${file}
             ${command} --code --name owner   (name, password and code of now)`
    : `in the file of another process, or: ${command} --name owner --reset`
}
