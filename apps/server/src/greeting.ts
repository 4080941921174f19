import type { Role } from './config.ts'

/** What a start says on the terminal: where everything is that there is. */
export type Greeted = {
  profile: 'demo' | 'production'
  role?: Role
  url: string
  /** Whether mail is captured, and whether the chain is the local one. */
  capturedMail: boolean
  localChain: boolean
  /** Where the demo's staff accounts stand. */
  staff: string
  /** The console's own origin; null where it is at the app's. */
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
  // The pages of the demo are there in the demo alone, whatever stand-ins production was allowed.
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
    ...(demo
      ? [
          `  Staff      ${staff}`,
          '             npm run console:staff -- --code --name owner   (name, password and code of now)',
        ]
      : []),
    ...(!demo && capturedMail
      ? ['  Mail       goes nowhere: it is captured, and there is no page that shows it']
      : []),
    ...(!demo && localChain ? ['  Deposits   are none: the chain is the local one'] : []),
    '',
    'Ctrl-C stops it.',
  ].join('\n')
}
