/** Two processes on one database while SECRET_KEY is changed, each with both keys and another one as its own. */

import { setTimeout as sleep } from 'node:timers/promises'
import { staffLogin } from '@sum28/contract/staff-routes.ts'
import { saveProfile } from '@sum28/contract/user-routes.ts'
import { expect, it } from 'vitest'
import type { App } from '#src/app.ts'
import { openDatabase } from '#src/db/database.ts'
import { dropOtherLogins, makeApplicationRole } from '#src/db/migrate.ts'
import { makeStaff } from '#src/modules/staff/make-staff.ts'
import { totpCodeOf } from '#src/modules/staff/totp.ts'
import { sealer } from '#src/secrets/sealer.ts'
import { PATIENT_TO_CONNECT } from '#testing/patience.ts'
import { createInstallation } from '#testing/processes.ts'
import { addSeatedPlayer } from '#testing/seated-player.ts'
import { SECRET_KEY } from '#testing/secret-key.ts'
import { createTestDatabase } from '#testing/test-database.ts'

const OLD_KEY = 'the key before of more than 32 characters'

/** Two processes as they are in the middle of the change. */
async function startBoth() {
  const database = await createTestDatabase()
  async function start(own: string, other: string): Promise<App> {
    const applicationUrl = await makeApplicationRole(database.ownerUrl, own)
    const keys = { SECRET_KEY: own, SECRET_KEY_PREVIOUS: other }
    return (await createInstallation(keys, { ...database, applicationUrl })).start('api')
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
        { tx, sealer: sealer(own, [other]) },
        { name: own === OLD_KEY ? 'ann' : 'bob', role: 'owner', by: 'test' },
      ),
    )
    if (typeof made === 'string') throw new Error(made)
    const totp = totpCodeOf(made.totpSecret, Date.now())
    const login = { account: made.name, password: made.password, totp }
    expect(await (await post(second, staffLogin, login)).json()).toMatchObject({ code: 1 })
  }
})

it('the login of the key before stays while a process works under it, and can then be dropped', async () => {
  const { database, before, after } = await startBoth()
  const oldUrl = await makeApplicationRole(database.ownerUrl, OLD_KEY)
  await expect(dropOtherLogins(database.ownerUrl, SECRET_KEY, { waitMs: 600 })).rejects.toThrow(
    /are at work as/,
  )
  const ready = async (app: App) => (await fetch(`${app.url}/readyz`)).status
  expect([await ready(before), await ready(after)]).toEqual([200, 200])
  await before.stop()
  // A connection of the process before that ends a moment later.
  const ending = openDatabase(oldUrl, { connectionsMax: 1, limits: PATIENT_TO_CONNECT })
  await ending.query('select 1')
  // As long as a busy machine may take to end them.
  const dropped = dropOtherLogins(database.ownerUrl, SECRET_KEY, { waitMs: 240_000 })
  await Promise.all([dropped, sleep(500).then(() => ending.close())])
  expect(await ready(after)).toBe(200)
  const shutOut = openDatabase(oldUrl, { connectionsMax: 1 })
  await expect(shutOut.query('select 1')).rejects.toThrow()
  await shutOut.close()
})
