import { spawnSync } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nextRoundAfter } from '@sum28/domain/schedule.ts'
import { formatVerifierKey, readVerifierKey, signingKey } from '@sum28/fairness/signed-note.ts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { originsOf } from '#src/http/http-settings.ts'
import { shownSettings } from '#src/modules/console/figures/shown-settings.ts'
import { StartError } from '#src/process/start-error.ts'
import { temporaryFolder } from '#testing/hosts/own-machine.ts'
import { readConfig, takeEnvironment, VARIABLES } from './config.ts'

/** The settings that production needs, without any of the demo's. */
const WITNESS = signingKey('witness.example/w1', 'witness', new Uint8Array(32).fill(1))
const PRODUCTION = {
  PROFILE: 'production',
  DATABASE_URL: 'postgres://owner@localhost/sum28',
  PUBLIC_URL: 'https://play.sum28.example',
  CONSOLE_URL: 'https://desk.sum28.example',
  SECRET_KEY: 'thirty-two characters or more of secret',
  SEED_KEY: 'thirty-two characters or more for seeds',
  SMTP_URL: 'smtps://user:mail-secret@mail.example',
  MAIL_FROM: 'Sum28 <no-reply@sum28.example>',
  TRON_API_URL: 'https://tron.example,https://other-tron.example',
  TRON_XPUB: 'xpub-of-the-account',
  WITNESSES: `${formatVerifierKey(WITNESS)}@https://witness.example`,
}

const TRON = 'https://tron.example'
const OTHER_TOKEN = 'TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdj'
const HEX = '9f86d081884c7d659a2feaa0c55ad015'

/** The message of a failed start; empty if it does not fail. */
function sentenceOf(environment: Record<string, string | undefined>): string {
  try {
    readConfig(environment)
    return ''
  } catch (error) {
    expect(error).toBeInstanceOf(StartError)
    return (error as Error).message
  }
}

/** Values that are refused, by variable. */
const WRONG: Record<string, string[]> = {
  PROFILE: ['staging'],
  ROLE: ['web'],
  PORT: ['abc', '65536'],
  DATABASE_URL: ['mysql://localhost/x'],
  PUBLIC_URL: ['ftp://x.example', 'https://x.example/play'],
  CONSOLE_URL: ['https://x.example/desk'],
  TRUSTED_PROXIES: [
    ...['nginx', '10.0.0.0/33', '10.0.0.0/8/8', '::/0', 'fe80::1%eth0', '0.0.0.0/0'],
    'none,10.0.0.1',
  ],
  GAME_TIMEZONE: ['+08:00', 'IST', 'CET', 'EET', 'Mars/Olympus'],
  OPENING_HOURS: ['10-02', '10:00-10:03'],
  ROUND_SECONDS: ['5', '3601', 'soon'],
  SEAL_SECONDS: ['1.5', '210'],
  BEACON: ['dice'],
  BEACON_DEADLINE_SECONDS: ['0'],
  SMTP_URL: ['http://mail.example'],
  MAIL_FROM: ['nobody'],
  TRON_API_URL: [
    'https://tron.example',
    'https://a.example,b.example',
    'https://a.example,https://b.example,https://c.example',
  ],
  TRON_USDT_CONTRACT: ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u'],
  LINES: ['https://one.example'],
  SUPPORT_URL: ['javascript:alert(1)'],
  SUPPORT_EMAIL: ['support'],
  SECRET_KEY: ['short'],
  SEED_KEY: ['short', `${PRODUCTION.SEED_KEY},short`],
  WITHDRAWAL_HOLD_HOURS: ['-1'],
  ADJUSTMENTS_MAX: ['50', '50,1000,-1', '50,1000,10000,5', '50,,10000'],
  ROBOTS: ['yes'],
  LOG_LEVEL: ['loud'],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['somewhere'],
  RATE_LIMITS: ['none'],
  METRICS_TOKEN: ['short'],
}

/** Values with a secret where it would be lost or written into the log, and wrong values that are secret. */
const TOLD: Record<string, string[]> = {
  TRON_API_URL: [
    'https://user:tiny-secret@node.example',
    'https://a.example,https://b.example/?apikey=tiny-secret',
    'tiny-secret',
  ],
  LINES: ['https://a.example,https://user:tiny-secret@b.example'],
  PUBLIC_URL: ['https://play.example/#tiny-secret'],
  CONSOLE_URL: ['https://tiny-secret@desk.example'],
  SUPPORT_URL: ['https://user:tiny-secret@help.example'],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['https://user:tiny-secret@traces.example', 'tiny-secret'],
  WITNESSES: [
    `${formatVerifierKey(WITNESS)}@https://user:tiny-secret@witness.example`,
    `${formatVerifierKey(WITNESS)}@https://witness.example/?key=tiny-secret`,
  ],
  TRON_API_KEY: ['a,b,tiny-secret'],
  SECRET_KEY: ['tiny-secret'],
  SEED_KEY: ['tiny-secret'],
  METRICS_TOKEN: ['tiny-secret'],
  DATABASE_URL: ['mysql://owner:tiny-secret@db.example/x'],
  SMTP_URL: ['http://user:tiny-secret@mail.example'],
}

describe('the environment', () => {
  it('may be empty: that is the demo', () => {
    expect(readConfig({})).toMatchObject({
      profile: 'demo',
      port: 3000,
      host: '127.0.0.1',
      dataDir: '.data',
      databaseUrl: null,
      smtpUrl: null,
      tron: null,
      openingHours: '00:00-24:00',
      beacon: { kind: 'local', deadlineMs: 600_000 },
      schedule: { timeZone: 'Asia/Singapore', roundMs: 210_000, sealMs: 30_000 },
      robots: true,
      rateLimits: true,
    })
    expect(readConfig({ PORT: ' ', HOST: '' })).toMatchObject({ port: 3000, host: '127.0.0.1' })
  })

  it.each(Object.entries(WRONG))('is refused in one sentence with a wrong %s', (name, values) => {
    for (const value of values) {
      const sentence = sentenceOf({ [name]: value })
      expect(sentence, value).toContain(name)
      expect(sentence).toMatch(/^The environment is wrong: [^\n]+\.$/)
    }
  })

  it('tells which keys a witness can have, and takes them with their addresses', () => {
    const key = formatVerifierKey(WITNESS)
    const ofAnotherType = `w+0a1b2c3d+${Buffer.of(6, ...Buffer.alloc(1_312)).toString('base64')}`
    const wrong = `w.example/1+${'0'.repeat(8)}+AAAA`
    for (const WITNESSES of [
      ...[ofAnotherType, wrong].map((each) => `${each}@https://w.example`),
      ...['hello', key, `${key}@ftp://w.example`],
    ]) {
      expect(sentenceOf({ WITNESSES })).toContain(
        'must be keys of witnesses (Ed25519, type 4) with their addresses',
      )
    }
    expect(readConfig({ WITNESSES: `${key}@https://w.example/` }).witnesses).toEqual([
      { key: readVerifierKey(key), url: 'https://w.example' },
    ])
  })

  it.each(Object.entries(TOLD))('is refused without repeating a secret in %s', (name, values) => {
    for (const value of values) {
      const sentence = sentenceOf({ TRON_XPUB: 'xpub-of-the-account', [name]: value })
      expect(sentence).toMatch(/^The environment is wrong: [^\n]+\.$/)
      const others = sentenceOf({ ...PRODUCTION, [name]: value, RATE_LIMITS: 'off', PORT: 'x' })
      for (const told of [sentence, others]) {
        expect(told, value).toContain(`${name}=…`)
        expect(told).not.toContain('tiny-secret')
      }
    }
    const xpub = { TRON_XPUB: 'tiny-secret', TRON_API_URL: undefined }
    expect(sentenceOf({ ...PRODUCTION, ...xpub })).not.toContain('tiny-secret')
  })

  it('takes a page of support with a query, and secrets of the services that have them in their addresses', () => {
    const { supportUrl } = readConfig({ SUPPORT_URL: 'https://help.example/?of=sum28#chat' })
    expect(supportUrl).toBe('https://help.example/?of=sum28#chat')
    expect(sentenceOf(PRODUCTION)).toBe('')
  })

  it('names every variable that is wrong at once', () => {
    const sentence = sentenceOf({ PORT: 'x', BEACON: 'dice', LOG_LEVEL: 'loud' })
    for (const name of ['PORT=x', 'BEACON=dice', 'LOG_LEVEL=loud']) expect(sentence).toContain(name)
  })

  const { SECRET_KEY, SEED_KEY } = PRODUCTION
  const DATABASE_URL = 'postgres://localhost/x'

  it.each([
    [{ ROLE: 'api' }, 'ROLE=api needs DATABASE_URL and SECRET_KEY'],
    [{ ROLE: 'jobs', DATABASE_URL }, 'ROLE=jobs needs SECRET_KEY'],
    [{ ROLE: 'engine', DATABASE_URL, SECRET_KEY }, 'ROLE=engine needs SEED_KEY'],
    [{ ROLE: 'engine', DATABASE_URL, SEED_KEY }, 'ROLE=engine needs SECRET_KEY'],
    [{ ROLE: 'migrate', SECRET_KEY }, 'ROLE=migrate needs DATABASE_URL'],
    [{ ROLE: 'api', DATABASE_URL, SECRET_KEY, SEED_KEY }, 'ROLE=api has SEED_KEY'],
    [{ ROLE: 'jobs', DATABASE_URL, SECRET_KEY, SEED_KEY }, 'ROLE=jobs has SEED_KEY'],
    [{ ROLE: 'migrate', DATABASE_URL, SEED_KEY }, 'ROLE=migrate has SEED_KEY'],
    [{ ROLE: 'api', DATABASE_URL, SECRET_KEY }, ''],
    [{ ROLE: 'engine', DATABASE_URL, SEED_KEY, BEACON: 'drand' }, ''],
    [{ ROLE: 'migrate', DATABASE_URL }, ''],
    [{ PROFILE: 'production', ROLE: 'engine', DATABASE_URL, SEED_KEY }, ''],
    [{ PROFILE: 'production', ROLE: 'migrate', DATABASE_URL }, ''],
  ])('with %j has for that part too little or too much, or what it needs: %j', (given, why) => {
    expect(sentenceOf(given)).toMatch(why ? `The environment is wrong: ${why}` : /^$/)
  })

  it.each([
    [
      { SECRET_KEY: `${SECRET_KEY}, an earlier key of thirty-two characters` },
      { secretKeys: [SECRET_KEY, 'an earlier key of thirty-two characters'], seedKeys: [] },
    ],
    [
      { ROUND_SECONDS: '6', SEAL_SECONDS: '2' },
      { schedule: expect.objectContaining({ roundMs: 6_000, sealMs: 2_000 }) },
    ],
    [{}, { trustedProxies: ['127.0.0.0/8', '::1'] }],
    [{ TRUSTED_PROXIES: 'none' }, { trustedProxies: [] }],
    [
      { TRUSTED_PROXIES: ' 10.0.0.0/8 , 2001:db8::/32,192.0.2.1' },
      { trustedProxies: ['10.0.0.0/8', '2001:db8::/32', '192.0.2.1'] },
    ],
    [
      { ADJUSTMENTS_MAX: '1, 2,3.000001' },
      { adjustmentsMax: { support: 1_000_000n, finance: 2_000_000n, owner: 3_000_001n } },
    ],
    [
      { WITHDRAWAL_TWO_PERSONS_FROM: '4', WITHDRAWAL_HOLD_HOURS: '5' },
      { withdrawals: { twoPersonsFrom: 4_000_000n, holdMs: 5 * 3_600_000 } },
    ],
    [{ CLOSED_ACCOUNT_KEPT_DAYS: '46' }, { closedKeptDays: 46 }],
    // Without a slash at the end.
    [{ PUBLIC_URL: 'https://x.example/' }, { publicUrl: 'https://x.example' }],
    [
      { LINES: 'https://a.example/, https://b.example' },
      { lines: ['https://a.example', 'https://b.example'] },
    ],
  ])('with %j is read in parts', (given, parts) => {
    expect(readConfig(given)).toMatchObject(parts)
  })

  it('takes opening hours into which one round fits, and no shorter ones', () => {
    const ROUND_SECONDS = '240'
    const { schedule } = readConfig({ ROUND_SECONDS, OPENING_HOURS: '23:58-00:02' })
    expect(nextRoundAfter(schedule, 0).number).toBe(1)
    const sentence = sentenceOf({ ROUND_SECONDS, OPENING_HOURS: '23:58-00:01' })
    expect(sentence).toContain('no round of ROUND_SECONDS=240 fits into OPENING_HOURS=23:58-00:01')
  })

  it('names the origins of the app’s pages as browsers do, each once', () => {
    const PUBLIC_URL = 'https://Play.example:443/'
    const LINES = 'https://A.example,https://play.example/line2'
    const own = originsOf(readConfig({ PUBLIC_URL, LINES }))
    expect(own).toEqual(['https://play.example', 'https://a.example'])
    expect(originsOf(readConfig({ PORT: '8080' }))).toEqual(['http://localhost:8080'])
  })
})

describe('production', () => {
  it('starts with real services, and its own defaults', () => {
    expect(readConfig(PRODUCTION)).toMatchObject({
      profile: 'production',
      openingHours: '10:00-02:00',
      beacon: { kind: 'drand' },
      robots: false,
    })
  })

  it.each([
    ['the local beacon', { BEACON: 'local' }, 'local-beacon'],
    ['the local chain', { TRON_API_URL: undefined }, 'local-chain'],
    ['captured mail', { SMTP_URL: undefined }, 'captured-mail'],
    ['a key of one letter', { SECRET_KEY: 'a'.repeat(40) }, 'weak-key'],
    ['a key of one word', { SECRET_KEY: 'password'.repeat(5) }, 'weak-key'],
    ['a key that counts', { SECRET_KEY: '0123456789'.repeat(4) }, 'weak-key'],
    ['a weak key of seeds', { SEED_KEY: 'password'.repeat(5) }, 'weak-key'],
    ['a weak earlier key', { SECRET_KEY: `${HEX},${'password'.repeat(5)}` }, 'weak-previous-key'],
    ['nobody who watches', { WITNESSES: '' }, 'no-witness'],
    ['players by http', { PUBLIC_URL: 'http://play.sum28.example' }, 'plain-http'],
    ['a line by http', { LINES: 'https://a.example,http://b.example' }, 'plain-http'],
    ['a chain by http', { TRON_API_URL: `http://a.example,${TRON}` }, 'plain-http-chain'],
    ['a second chain node by http', { TRON_API_URL: `${TRON},http://b` }, 'plain-http-chain'],
    ['one chain node', { TRON_API_URL: TRON }, 'one-chain-node'],
    ['the same chain node twice', { TRON_API_URL: `${TRON},${TRON}/v1` }, 'one-chain-node'],
    ['a console beside the app', { CONSOLE_URL: undefined }, 'shared-console'],
    ['a seal of 29 s', { SEAL_SECONDS: '29' }, 'short-seal'],
    ['a deadline of 59 s', { BEACON_DEADLINE_SECONDS: '59' }, 'short-beacon-deadline'],
    ['a hold of 11 hours', { WITHDRAWAL_HOLD_HOURS: '11' }, 'short-hold'],
    ['mail in plain text', { SMTP_URL: 'smtp://u:p@mail.example:587' }, 'plain-mail'],
    ['mail that may be plain', { SMTP_URL: 'smtp://10.0.0.5?requireTLS=false' }, 'plain-mail'],
    ['mail without a sender', { MAIL_FROM: undefined }, 'local-sender'],
    ['mail from this machine', { MAIL_FROM: 'desk@localhost' }, 'local-sender'],
    ['a database of its own making', { DATABASE_URL: undefined }, 'embedded-database'],
    ['one approver', { WITHDRAWAL_TWO_PERSONS_FROM: '100001' }, 'one-person-payouts'],
    ['another token', { TRON_USDT_CONTRACT: OTHER_TOKEN }, 'other-token'],
    ['to forget the closed early', { CLOSED_ACCOUNT_KEPT_DAYS: '1825' }, 'short-keeping'],
  ])('refuses %s in one sentence, unless it is allowed by name', (_name, change, floor) => {
    const environment = { ...PRODUCTION, ...change }
    const sentence = sentenceOf(environment)
    expect(sentence).toMatch(/^[^\n]+\.$/)
    const cause = `(${Object.keys(change).join()}|the demo's ${floor.replace('-', ' ')})`
    expect(sentence).toMatch(new RegExp(`${cause}.* ALLOW_IN_PRODUCTION=${floor}\\.$`))
    expect(sentenceOf({ ...environment, ALLOW_IN_PRODUCTION: ` ${floor} , x` })).toBe('')
    const other = floor === 'weak-key' ? 'no-witness' : 'weak-key'
    expect(sentenceOf({ ...environment, ALLOW_IN_PRODUCTION: other })).toBe(sentence)
    // The demo is for trying.
    expect(sentenceOf({ ...environment, PROFILE: 'demo' })).toBe('')
  })

  it.each([
    ['keys that nobody can guess', { SECRET_KEY: `${HEX},q8Hn0Zr1uW4tYb7KdE2sXv9PjLm5GcFa` }],
    ['a node on this machine', { TRON_API_URL: `http://127.0.0.1:8090,${TRON}` }],
    ['mail that has to be encrypted', { SMTP_URL: 'smtp://mail.example:587?requireTLS=true' }],
    ['services on this machine', { SMTP_URL: 'smtp://localhost:25' }],
    [
      'the least of all',
      {
        WITHDRAWAL_TWO_PERSONS_FROM: '100000',
        SEAL_SECONDS: '30',
        BEACON_DEADLINE_SECONDS: '60',
        WITHDRAWAL_HOLD_HOURS: '12',
      },
    ],
  ])('takes %s', (_name, change) => {
    expect(sentenceOf({ ...PRODUCTION, ...change })).toBe('')
  })

  it('names each wrong setting at once', () => {
    const change = { PUBLIC_URL: 'http://x.example', SEAL_SECONDS: '1', WITHDRAWAL_HOLD_HOURS: '0' }
    expect(sentenceOf({ ...PRODUCTION, ...change }).split('\n')).toHaveLength(3)
  })

  it('is not a demo by mistake: NODE_ENV=production requires a PROFILE', () => {
    const NODE_ENV = 'production'
    for (const PROFILE of [undefined, ' '])
      expect(sentenceOf({ NODE_ENV, PROFILE })).toContain('set PROFILE=production')
    for (const taken of [
      { NODE_ENV, PROFILE: 'demo' },
      { NODE_ENV, ...PRODUCTION },
    ])
      expect(sentenceOf(taken)).toBe('')
    expect(sentenceOf({ NODE_ENV: 'development' })).toBe('')
  })

  it.each([
    ['SECRET_KEY', undefined],
    ['SEED_KEY', undefined],
    ['SEED_KEY', PRODUCTION.SECRET_KEY],
    ['PUBLIC_URL', undefined],
    ['RATE_LIMITS', 'off'],
  ])('refuses to start with %s=%s', (name, value) => {
    expect(sentenceOf({ ...PRODUCTION, [name]: value })).toContain(name)
  })
})

it('the page for operators names every exception that production can be allowed', () => {
  const text = readFileSync(new URL('../../../docs/operating.md', import.meta.url), 'utf8')
  const source = readFileSync(new URL('./settings/production-floors.ts', import.meta.url), 'utf8')
  const names = [...source.matchAll(/(?:name: |standIn\()'([a-z-]+)'/g)].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(10)
  for (const name of names) expect(text).toContain(`\`${name}\``)
})

describe('.env.example', () => {
  const text = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8')
  const listed = [...text.matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name)

  it('lists exactly the variables there are, each once', () => {
    expect([...listed].sort()).toEqual([...VARIABLES].sort())
  })

  it('changes nothing as it is, and is valid with every line that has a value', () => {
    const uncommented = [...text.matchAll(/^#([A-Z][A-Z0-9_]+)=(.+)$/gm)].map(
      ([, name, value]) => [name, value] as const,
    )
    expect(text.split('\n').filter((line) => line && !line.startsWith('#'))).toEqual([])
    expect(sentenceOf(Object.fromEntries(uncommented))).toBe('')
  })
})

describe('the settings in the console', () => {
  const HIDDEN = [
    ...['DATA_DIR', 'DATABASE_URL', 'SECRET_KEY', 'SEED_KEY', 'METRICS_TOKEN', 'TRON_API_KEY'],
    ...['TRON_XPUB', 'ALLOW_IN_PRODUCTION', 'PORT', 'HOST'],
  ]

  it('are all but those that are secret or of the machine', () => {
    const names = shownSettings(readConfig(PRODUCTION)).map(({ name }) => name)
    expect([...names, ...HIDDEN].sort()).toEqual([...VARIABLES].sort())
  })

  it('hold no key, password or token, not even in an address', () => {
    const keys = { TRON_API_KEY: 'tron-secret', METRICS_TOKEN: 'a metrics token of length' }
    const tron = 'https://tron.example/key-in-path,https://other-tron.example'
    const shown = JSON.stringify(
      shownSettings(readConfig({ ...PRODUCTION, ...keys, TRON_API_URL: tron })),
    )
    expect(shown).toContain('tron.example, other-tron.example')
    for (const secret of [
      ...[PRODUCTION.SECRET_KEY, PRODUCTION.SEED_KEY, PRODUCTION.TRON_XPUB, 'mail-secret'],
      ...['key-in-path', ...Object.values(keys)],
    ]) {
      expect(shown).not.toContain(secret)
    }
  })
})

describe('a .env file', () => {
  /** What is read from a file of these bytes, and what is told about it. */
  function fileOf(bytes: string | Buffer) {
    const told = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => told.mockRestore())
    const file = join(temporaryFolder(), '.env')
    writeFileSync(file, bytes)
    return { read: () => takeEnvironment(file), told: () => told.mock.calls.join() }
  }

  it('adds variables that the process does not set', () => {
    const environment = fileOf('SUM28_TEST_ONLY="from the file"\nPATH=nowhere\n').read()
    expect(environment.SUM28_TEST_ONLY).toBe('from the file')
    expect(environment.PATH).toBe(process.env.PATH)
  })

  it('begins with the first line, also behind a byte order mark', () => {
    const { read, told } = fileOf('\uFEFFALLOW_IN_PRODUCTION=x\nSUPPORT_EMAIL=a@b.example # ours\n')
    expect(read()).toMatchObject({ ALLOW_IN_PRODUCTION: 'x', SUPPORT_EMAIL: 'a@b.example' })
    expect(told()).toBe('')
  })

  it('tells a name that is no setting, and one of the process’s own environment that nearly is', () => {
    const { read, told } = fileOf('PROFIL=production\nNODE_ENV=production\n')
    for (const name of ['LIMIT_BY_LAW', 'DATABASE_URI', 'SECRET_KEYS', 'NODE_OPTIONS'])
      vi.stubEnv(name, '')
    onTestFinished(() => void vi.unstubAllEnvs())
    read()
    for (const sentence of [
      'PROFIL is no setting',
      'LIMIT_BY_LAW is no setting: LIMITS_BY_LAW is',
      'DATABASE_URI is no setting: DATABASE_URL is',
      'SECRET_KEYS is no setting: SECRET_KEY is',
    ])
      expect(told()).toContain(sentence)
    expect(told()).not.toMatch(/NODE_ENV|NODE_OPTIONS/)
  })

  it('gives a process that is started none of the settings, and itself all of them', () => {
    for (const name of VARIABLES) vi.stubEnv(name, `a value of ${name}`)
    vi.stubEnv('SUM28_NO_SETTING', 'stays')
    onTestFinished(() => void vi.unstubAllEnvs())
    const taken = takeEnvironment(join(tmpdir(), 'no such file'))
    expect(VARIABLES.filter((name) => taken[name] !== `a value of ${name}`)).toEqual([])
    const { stdout } = spawnSync(process.execPath, ['-p', 'JSON.stringify(process.env)'])
    const child = JSON.parse(stdout.toString())
    expect(child.SUM28_NO_SETTING).toBe('stays')
    expect(VARIABLES.filter((name) => name in child)).toEqual([])
    const report = process.report.getReport() as unknown as { environmentVariables: object }
    expect(VARIABLES.filter((name) => name in report.environmentVariables)).toEqual([])
  })

  it('is refused in another encoding', () => {
    for (const [text, encoding] of [
      ['\uFEFFPROFILE=production\n', 'utf16le'],
      ['PROFILE=production\n', 'utf16le'],
      ['SECRET_KEY=gr\u00fcn\n', 'latin1'],
    ] as const) {
      expect(fileOf(Buffer.from(text, encoding)).read).toThrow(/save it as UTF-8/)
    }
  })

  it('is refused if it is there and cannot be read', () => {
    const folder = temporaryFolder()
    expect(() => takeEnvironment(folder)).toThrow(`${folder} cannot be read (EISDIR): `)
    const link = join(folder, '.env')
    symlinkSync('nowhere', link)
    expect(() => takeEnvironment(link)).toThrow(StartError)
  })

  it('is refused if # cuts a value, and not if the value is quoted', () => {
    expect(fileOf('PORT=1\n  export SECRET_KEY = abc#def\n').read).toThrow(
      /SECRET_KEY ends before #/,
    )
    const quoted = `#PORT=1#2\nSECRET_KEY="abc#def"\nSMTP_URL = 'smtp://u:p#w@h'\nPORT= # none\n`
    expect(fileOf(quoted).read()).toMatchObject({
      SECRET_KEY: 'abc#def',
      SMTP_URL: 'smtp://u:p#w@h',
    })
  })
})
