/** Two processes on one database while SECRET_KEY is changed, each with both keys and another one as its own. */
import { staffLogin } from '@sum28/contract/staff-routes.ts'
import { saveProfile } from '@sum28/contract/user-routes.ts'
import { expect, it } from 'vitest'
import type { App } from '#src/app.ts'
import { makeStaff } from '#src/modules/staff/make-staff.ts'
import { totpCodeOf } from '#src/modules/staff/totp.ts'
import { secretCipher } from '#src/secrets/secret-cipher.ts'
import { createInstallation } from '#testing/processes.ts'
import { addSeatedPlayer } from '#testing/seated-player.ts'
import { SECRET_KEY } from '#testing/secret-key.ts'
import { createTestDatabase } from '#testing/test-database.ts'

const OLD_KEY = 'the key before of more than 32 characters'

/** Two processes as they are in the middle of the change. */
async function startBoth() {
  const database = await createTestDatabase()
  async function start(own: string, other: string): Promise<App> {
    const keys = { SECRET_KEY: own, SECRET_KEY_PREVIOUS: other }
    return (await createInstallation(keys, database)).start('api')
  }
  const before = await start(OLD_KEY, SECRET_KEY)
  return { database, before, after: await start(SECRET_KEY, OLD_KEY) }
}

function post(app: App, { path }: { path: string }, body: object, headers = {}): Promise<Response> {
  return fetch(app.url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ ...body, lang: 'en', host: 'localhost' }),
  })
}

it('each carries out once what was sent to both with one key, and opens what the other has sealed', async () => {
  const { database, before, after } = await startBoth()
  for (const [first, second, own, other] of [
    [before, after, OLD_KEY, SECRET_KEY],
    [after, before, SECRET_KEY, OLD_KEY],
  ] as const) {
    const { token } = await addSeatedPlayer(database)
    const headers = { Token: token, 'Idempotency-Key': 'one-key' }
    const profile = { idcard: 'A1234567' }
    expect(await (await post(first, saveProfile, profile, headers)).json()).toMatchObject({
      code: 1,
    })
    const again = await post(second, saveProfile, profile, headers)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await again.json()).toMatchObject({ code: 1 })

    const made = await database.db.transaction((tx) =>
      makeStaff(
        { tx, cipher: secretCipher(own, [other]) },
        { name: own === OLD_KEY ? 'ann' : 'bob', role: 'owner', by: 'test' },
      ),
    )
    if (typeof made === 'string') throw new Error(made)
    const totp = totpCodeOf(made.totpSecret, Date.now())
    const login = { account: made.name, password: made.password, totp }
    expect(await (await post(second, staffLogin, login)).json()).toMatchObject({ code: 1 })
  }
})
