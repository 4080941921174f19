/** By what the identity that a player sends is compared with those of other accounts. */
import { expect, it } from 'vitest'
import { markAccounts } from '#src/jobs/mark-accounts.ts'
import { markNoter } from '#src/modules/protection/likeness.ts'
import { exclude } from '#src/modules/protection/protection-store.ts'
import { secretCipher } from '#src/secrets/secret-cipher.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import { somebodyWaits, withoutRetry } from '#testing/database/simultaneous-calls.ts'
import { eachTestDatabase } from '#testing/database/test-database.ts'
import { staffToken } from '#testing/people/staff.ts'
import { sendIdentity } from './identity.ts'

const { database, db, owner } = eachTestDatabase()

const KEYS = [
  'the first secret key of these tests',
  'the second secret key of these tests',
] as const

it('the number of the document, and name with date of birth, are compared; the number again with a new key', async () => {
  const cipher = secretCipher(KEYS[0])
  const [first, second, third] = [
    await addPlayer(database, { u: 0 }),
    await addPlayer(database, { u: 0 }),
    await addPlayer(database, { u: 0 }),
  ]
  const send = async (
    playerId: number,
    document: string,
    { birthDate = '1990-02-28', name = 'An' } = {},
  ) => {
    await owner.query(
      `insert into withdrawals.identity_picture (player_id, encrypted_content, key_id, added_at)
       values ($1, '\\x00', $2, app.now())`,
      [playerId, cipher.keyId],
    )
    const facts = { name, birthDate, address: 'Huế', document }
    const sent = { playerId, today: '2026-11-20', network: '127.0.0.1', ...facts }
    return sendIdentity({ db, cipher, noteMark: markNoter(cipher) }, sent)
  }
  expect(await send(first, 'C0123 4567', { name: 'Nguyễn Văn An' })).toBe(null)
  await exclude(db, { playerId: first, kind: 'time_out', lasting: '48 hours' })
  // Another date of birth, and the number without its blank; or the name in other letters and another order.
  expect(await send(second, 'c01234567', { birthDate: '1991-02-28' })).toBe(null)
  expect(await send(third, 'D76543210', { name: 'an  VAN nguyen' })).toBe(null)
  expect(
    await owner.query(
      `select player_id, like_player, like_in, holds from protection.exclusion
       where player_id in ($1, $2) order by player_id`,
      [second, third],
    ),
  ).toEqual([
    { player_id: second, like_player: first, like_in: 'document', holds: true },
    { player_id: third, like_player: first, like_in: 'person', holds: true },
  ])

  // What cannot be compared is refused: marks on a letter of another script, hardly a letter at all, or no digit.
  for (const number of ['Ꭺ1234567', '----', 'N/A?', 'none', '- 1 -']) {
    expect(await send(second, number), number).toEqual({
      refused: 'invalid_input',
      faults: { document: 'invalid' },
    })
  }

  const next = secretCipher(KEYS[1], [KEYS[0]])
  await markAccounts({ db, cipher: next })
  const marks = `select count(distinct hash)::integer as hashes from protection.mark
    where kind = 'document' and key_id = $1`
  expect(await owner.query(marks, [next.keyId])).toEqual([{ hashes: 2 }])
})

it('waits for the balance before it holds the player, as everything that holds an account does', async () => {
  const player = await addPlayer(database, { u: 0 })
  const { sent } = await owner.transaction(async (tx) => {
    await tx.query('select from ledger.balance where holder_id = $1 for no key update', [player])
    const sent = withoutRetry(db).query(
      `select withdrawals.send_identity($1, '\\x00', $2, 2012) as answer`,
      [player, secretCipher(KEYS[0]).keyId],
    )
    await somebodyWaits(database)
    await tx.query('select from accounts.player where id = $1 for no key update', [player])
    return { sent }
  })
  expect(await sent).toEqual([{ answer: 'sent' }])
})

it('is refused of a frozen account, beyond so many pictures, and where nothing was sent to decide about', async () => {
  const player = await addPlayer(database, { u: 0 })
  const { keyId } = secretCipher(KEYS[0])
  const said = async (call: string, ...values: unknown[]) => {
    return owner.value<string>(`select withdrawals.${call} as answer`, values)
  }
  const add = () => said(`add_identity_picture($1, '\\x00', $2, 2)`, player, keyId)
  const send = () => said(`send_identity($1, '\\x00', $2, null)`, player, keyId)
  expect(await said('decide_identity($1, 1, null, $2)', player, await staffToken(database))).toBe(
    'not_found',
  )
  expect(await send()).toBe('picture_missing')
  expect([await add(), await add(), await add()]).toEqual(['added', 'added', 'too_many'])
  await owner.query(`update accounts.player set state = 'frozen' where id = $1`, [player])
  expect([await add(), await send()]).toEqual(['account_locked', 'account_locked'])
  await owner.query(`update accounts.player set state = 'active' where id = $1`, [player])
  expect([await send(), await add(), await send()]).toEqual([
    ...['sent', 'identity_sent', 'identity_sent'],
  ])
})
