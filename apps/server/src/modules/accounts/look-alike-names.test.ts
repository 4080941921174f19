/** Names that resemble another player's: none of them gives access to his account, or to a code for it. */
import { login, register, resetPassword, sendCode, userInfo } from '@sum28/contract/user-routes.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { addPlayer } from '#testing/database/fixtures.ts'
import { createTestDatabase } from '#testing/database/test-database.ts'
import {
  answerTo,
  faultsOf,
  mailedCode,
  mailsOf,
  registerMember,
  TEST_PASSWORD,
  type TestMember,
  useWorkersApi,
} from '#testing/product/test-app.ts'

const test = useWorkersApi()

let victim: TestMember
beforeAll(async () => {
  victim = await registerMember(test, 'kiki_victim')
})

it('an address with a Kelvin sign gets no code, resets nothing, registers nobody and signs nobody in', async () => {
  // As somebody else might write the victim's; all such: canonical-email.test.ts.
  const email = '\u212Aiki_victim@example.org'
  const [code, password] = ['123456', TEST_PASSWORD]
  for (const call of [
    test.call(sendCode, { email, event: 'resetpwd' }),
    test.call(sendCode, { email, event: 'register' }),
    test.call(resetPassword, { email, captcha: code, newpassword: password }),
    test.call(register, { username: 'lookalike', email, code, password, adult: true }),
  ]) {
    expect(await faultsOf(call)).toEqual(['email'])
  }
  expect(await answerTo(test.call(login, { account: email, password }))).toBe(
    'account_or_password_wrong',
  )
})

describe('the victim', () => {
  it.each(['k\u0130ki_victim', 'k\u0131ki_victim', '\u212Aiki_victim', '\uFF4Biki_victim'])(
    'is not who signs in as %j, and nobody can be called so',
    async (username) => {
      const signIn = test.call(login, { account: username, password: TEST_PASSWORD })
      expect(await answerTo(signIn)).toBe('account_or_password_wrong')
      const { owner } = test.database
      for (const statement of [
        `insert into accounts.player (username, group_id) values ($1, 2)`,
        `update accounts.player set username = $1 where username = 'kiki_victim'`,
      ]) {
        await expect(owner.query(statement, [username])).rejects.toThrow('username_is_ascii')
      }
    },
  )

  it('gets mail at the stored address, however the request spells it', async () => {
    const { owner } = test.database
    // As an account may have it that is older than the canonical form.
    await owner.query(
      `update accounts.player set email = 'Kiki_Victim@Example.ORG' where id = $1`,
      [victim.id],
    )
    await owner.query(
      `update accounts.email_code set created_at = created_at - interval '2 minutes'`,
    )
    const address = 'KIKI_victim@ex\u00ADample.org'
    await test.call(sendCode, { email: address, event: 'resetpwd' })
    await mailedCode(test, 'Kiki_Victim@Example.ORG')
    expect((await mailsOf(test)).map(({ to }) => to)).not.toContain(address)
  })
})

describe('an address', () => {
  it('has one form in the database, and is stored with its key', async () => {
    const { owner } = test.database
    const insert = (email: string | null, key: string | null) =>
      owner.query(
        `insert into accounts.player (username, email, email_key, group_id) values ('nobody', $1, $2, 2)`,
        [email, key],
      )
    for (const key of [
      ...['K\u0130ki@example.org', 'Kiki@example.org', 'kiki@ex\u00e4mple.org', 'kiki@example'],
      ...['kiki@example.org.', '"kiki"@example.org', `${'k'.repeat(65)}@example.org`],
      `kiki@${'k.'.repeat(130)}org`,
    ]) {
      await expect(insert(key, key), key).rejects.toThrow('canonical_email')
      const code = `insert into accounts.email_code (email_key, event, code_hash, expires_at)
        values ($1, 'register', '', now())`
      await expect(owner.query(code, [key]), key).rejects.toThrow('canonical_email')
    }
    const [one, none] = ['a@example.org', null]
    await expect(insert(one, none)).rejects.toThrow('email_has_its_key')
    await expect(insert(none, one)).rejects.toThrow('email_has_its_key')
  })

  it('belongs to one account in each of its spellings, and keeps its tag', async () => {
    const spelled = 'Tagged+Bets@M\u00DCNCHEN.example'
    const email = 'tagged+bets@xn--mnchen-3ya.example'
    await test.call(sendCode, { email: spelled, event: 'register' })
    const code = await mailedCode(test, email)
    const password = TEST_PASSWORD
    const composed = 'tagged+bets@mu\u0308nchen.example'
    const person = { username: 'tagged', password, email: composed, code, adult: true }
    const { token } = (await test.call(register, person)).data.userinfo
    expect((await test.call(userInfo, {}, { token })).data.email).toBe(email)
    expect(await answerTo(test.call(login, { account: spelled, password }))).toBe('done')
    const { owner } = test.database
    await expect(
      owner.query(
        `insert into accounts.player (username, email, email_key, group_id) values ('other', $1, $2, 1)`,
        [spelled, email],
      ),
    ).rejects.toThrow('email_taken')
  })
})

it('a player is found by his number and by his whole name in any case, and two if a name is a number', async () => {
  const database = await createTestDatabase()
  const ann = await addPlayer(database, { u: 0, name: 'Ann_Lee' })
  const ben = await addPlayer(database, { u: 0, name: 'ann_lee2' })
  const digits = await addPlayer(database, { u: 0, name: String(ann) })
  const called = async (typed: string) => {
    const found = await database.db.value<number[]>('select accounts.players_called($1) as found', [
      typed,
    ])
    return found.toSorted((a, b) => a - b)
  }
  expect(await called(String(ben))).toEqual([ben])
  expect(await called(String(ann))).toEqual([ann, digits])
  for (const typed of ['Ann_Lee', 'ann_lee', 'ANN_LEE']) expect(await called(typed)).toEqual([ann])
  for (const typed of ['', 'ann', 'ann_le_', 'ann%', `${ben}x`, `-${ben}`, '9'.repeat(30)]) {
    expect(await called(typed)).toEqual([])
  }
})
