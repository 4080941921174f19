/** An installation that is older than the canonical form of addresses: its accounts are converted or kept apart. */
import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { listAddressConflicts } from '@sum28/contract/staff-house-routes.ts'
import { login, resetPassword, sendCode } from '@sum28/contract/user-routes.ts'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { openDatabase } from '#src/db/database.ts'
import { withClient } from '#src/db/with-client.ts'
import { isRefusal } from '#src/refusal/refusal.ts'
import { captureLog } from '#testing/captured-log.ts'
import { PATIENT_TO_CONNECT } from '#testing/patience.ts'
import { staffSession } from '#testing/staff.ts'
import { createTestApp, TEST_PASSWORD } from '#testing/test-app.ts'
import { addressConflicts, logConflicts, settleAddresses } from './address-conflicts.ts'
import { hashPassword } from './password.ts'

const FOLDER = new URL('../../../sql/', import.meta.url)
const OURS = '0021_names_in_one_form.sql'

/** A database with all migrations before ours, and how to apply ours. */
async function olderDatabase() {
  const name = `test_${randomBytes(6).toString('hex')}`
  const asAdmin = (statement: string) =>
    withClient(new URL('/postgres', inject('databaseServer')).href, (admin) =>
      admin.query(statement),
    )
  await asAdmin(`create database ${name}`)
  const owner = openDatabase(new URL(`/${name}`, inject('databaseServer')).href, {
    connectionsMax: 2,
    limits: PATIENT_TO_CONNECT,
  })
  onTestFinished(async () => {
    await owner.close()
    await asAdmin(`drop database ${name} with (force)`)
  })
  const apply = async (file: string) => owner.query(await readFile(new URL(file, FOLDER), 'utf8'))
  await apply('functions/clock.sql')
  const names = await readdir(new URL('migrations/', FOLDER))
  for (const each of names.sort()) if (each < OURS) await apply(`migrations/${each}`)
  return { owner, applyOurs: () => apply(`migrations/${OURS}`) }
}

describe('the addresses of an older installation', () => {
  it('get one form, identify one account each, and are kept apart if they cannot', async () => {
    const { owner, applyOurs } = await olderDatabase()
    const add = async (username: string, email: string | null) => {
      const rows = await owner.query<{ id: number }>(
        `insert into accounts.player (username, email, group_id) values ($1, $2, 2) returning id`,
        [username, email],
      )
      return rows[0]?.id ?? 0
    }
    await add('Plain', 'Plain+Tag@Example.ORG')
    await add('nobody_at_all', null)
    const pretender = await add('pretender', 'v\u0130ctim_of_it@example.org')
    const quoted = await add('spaced', '\u00fcml@example.org')
    const first = await add('first', 'same@m\u00fcnchen.example')
    const second = await add('second', 'SAME@xn--mnchen-3ya.example')
    await add('alone', 'alone@\u4f8b\u3048.example')
    const byCase = await add('holder', 'wide@example.org')
    const wide = await add('wide', 'wide@\uff45xample.org')
    const underscored = await add('underscored', 'a@exa_mple.org')
    await owner.query(
      `insert into accounts.email_code (email_key, event, code_hash, expires_at) values
         ('plain+tag@example.org', 'resetpwd', '', now() + interval '9 minutes'),
         ('v\u0130ctim@example.org', 'resetpwd', '', now() + interval '9 minutes')`,
    )

    await applyOurs()
    await settleAddresses(owner)
    const rows = await owner.query<{ username: string; email: string; key: string; why: string }>(
      `select username, email, email_key as key, email_conflict as why, username_key
       from accounts.player order by id`,
    )
    expect(rows).toMatchObject([
      { username_key: 'plain', email: 'Plain+Tag@Example.ORG', key: 'plain+tag@example.org' },
      { email: null, key: null, why: null },
      { email: 'v\u0130ctim_of_it@example.org', key: null, why: 'unfit' },
      { key: null, why: 'unfit' },
      { email: 'same@m\u00fcnchen.example', key: null, why: 'shared' },
      { email: 'SAME@xn--mnchen-3ya.example', key: null, why: 'shared' },
      { email: 'alone@\u4f8b\u3048.example', key: 'alone@xn--r8jz45g.example', why: null },
      { key: 'wide@example.org', why: null },
      { email: 'wide@\uff45xample.org', key: null, why: 'shared' },
      { email: 'a@exa_mple.org', key: null, why: 'unfit' },
    ])
    // A code that was mailed before may have gone to a look-alike.
    expect(
      await owner.query(
        `select email_key as key, expires_at <= clock_timestamp() as expired from accounts.email_code`,
      ),
    ).toEqual([{ key: 'plain+tag@example.org', expired: true }])

    const page = async (ask: { limit: number; after?: string | undefined }) => {
      const answer = await addressConflicts(owner, ask)
      if (isRefusal(answer)) throw new Error('refused')
      return answer
    }
    const listed = await page({ limit: 50 })
    expect(listed.list.map(({ playerId, why, others }) => [playerId, why, others])).toEqual([
      [pretender, 'unfit', []],
      [quoted, 'unfit', []],
      [first, 'shared', [second]],
      [second, 'shared', [first]],
      [wide, 'shared', [byCase]],
      [underscored, 'unfit', []],
    ])
    const after = (await page({ limit: 2 })).next ?? undefined
    expect((await page({ limit: 2, after })).list).toEqual(listed.list.slice(2, 4))

    // Again, at the next start: nothing changes, and the log names no address.
    await settleAddresses(owner)
    expect((await page({ limit: 50 })).list).toEqual(listed.list)
    const { log, lines } = captureLog()
    await logConflicts(owner, log)
    expect(lines.join()).toContain(String(pretender))
    expect(lines.join()).not.toContain('@')
  })
})

describe('an account that its address does not identify', () => {
  it('can be signed in to by its name, gets no code by mail, and is listed for staff', async () => {
    const test = await createTestApp()
    const { owner } = test.database
    const passwordHash = await hashPassword(TEST_PASSWORD)
    const [player] = await owner.query<{ id: number }>(
      `insert into accounts.player (username, email, email_conflict, password_hash, group_id)
       values ('kept_apart', 'apart@m\u00fcnchen.example', 'shared', $1, 1) returning id`,
      [passwordHash],
    )
    const email = 'apart@xn--mnchen-3ya.example'
    const signIn = (account: string) => test.call(login, { account, password: TEST_PASSWORD })
    expect(await signIn('kept_apart')).toMatchObject({ code: 1 })
    expect(await signIn(email)).toMatchObject({ data: { reason: 'account_or_password_wrong' } })
    expect(await test.call(sendCode, { email, event: 'resetpwd' })).toMatchObject({ code: 1 })
    const guess = { email, captcha: '000000', newpassword: 'another long passphrase' }
    expect(await test.call(resetPassword, guess)).toMatchObject({ code: 0 })
    expect(
      await owner.query(`select from accounts.player where password_hash = $1`, [passwordHash]),
    ).toHaveLength(1)

    const staff = await staffSession(test)
    expect((await test.call(listAddressConflicts, {}, staff)).data.list).toMatchObject([
      {
        user_id: player?.id,
        username: 'kept_apart',
        email: 'apart@m\u00fcnchen.example',
        why: 'shared',
        others: [],
      },
    ])
    expect(await test.call(listAddressConflicts, {})).toMatchObject({ http: 401 })
  })
})
