import { setPayInfo } from '@sum28/contract/money-routes.ts'
import { saveProfile } from '@sum28/contract/user-routes.ts'
import { describe, expect, it } from 'vitest'
import { saveDocument } from '#src/modules/accounts/document.ts'
import { makeStaff } from '#src/modules/staff/make-staff.ts'
import {
  decryptNumber,
  payeeNumber,
  payMethodsOf,
  savePayMethodIn,
} from '#src/modules/withdrawals/pay-methods.ts'
import { isRefusal } from '#src/refusal/refusal.ts'
import { DecryptionFailed, type SecretCipher, secretCipher } from '#src/secrets/secret-cipher.ts'
import { addPlayer } from '#testing/database/fixtures.ts'
import {
  createTestDatabase,
  rolledBack,
  type TestDatabase,
} from '#testing/database/test-database.ts'
import { newWallet, TEST_CARD, TEST_WALLET } from '#testing/people/cashier.ts'
import { captureLog } from '#testing/product/captured-log.ts'
import { CIPHER } from '#testing/product/secret-key.ts'
import { registerMember, useWorkersApi } from '#testing/product/test-app.ts'
import { workerOn } from '#testing/product/worker-on.ts'
import { eventually } from '#testing/requests/patience.ts'
import { reencryptNumbers } from './reencrypt-numbers.ts'

const OLD_KEY = 'the key of last year of more than 32 characters'
const NEW_KEY = 'the key of this year of more than 32 characters'

const THIRD_KEY = 'the key of next year of more than 32 characters'

const CARD = { type: 0, acc: 'ANN LEE', acc_name: TEST_CARD, acc_bank: 'Bank of Hanoi' } as const

const BANK = { kind: 'bank', number: TEST_CARD, bankName: 'Bank of Hanoi' } as const
const WALLET = { kind: 'wallet', number: TEST_WALLET, bankName: '' } as const

/** A player whose payee is saved under a key, and how its number is read. */
async function withPayee(cipher: SecretCipher, payee: typeof BANK | typeof WALLET = BANK) {
  const database = await createTestDatabase()
  const { db } = database
  const playerId = await addPlayer(database, { u: 0 })
  const saving = { cipher, noteMark: async () => null, usdtContract: '' }
  const rest = { label: 'ANN LEE', branchCode: '', branchName: '', note: '' }
  const method = await db.transaction((tx) =>
    savePayMethodIn(tx, saving, { ...payee, ...rest, playerId }),
  )
  if (isRefusal(method)) throw new Error(method.refused)
  const numberBy = async (by: SecretCipher) => {
    const [saved] = await payMethodsOf(db, playerId)
    return saved && decryptNumber(by, playerId, saved)
  }
  return { ...database, playerId, methodId: method.id, numberBy }
}

function addMemberOfStaff({ db }: Pick<TestDatabase, 'db'>, cipher: SecretCipher) {
  const staff = { name: 'ann', role: 'finance', by: 'test' } as const
  return db.transaction((tx) => makeStaff({ tx, cipher }, staff))
}

const test = useWorkersApi()

describe('numbers at rest', () => {
  it('are readable in no column, and can only be decrypted with their own key', async () => {
    const ann = await registerMember(test)
    expect((await test.call(setPayInfo, CARD, ann)).data.acc_name).toBe('•••• 4242')
    const saved = await test.call(saveProfile, { idcard: 'C01X00T478' }, ann)
    expect(saved.data.idcard).toBe('••••T478')
    const everything = JSON.stringify(
      await test.database.owner.query(
        `select pay_method::text from withdrawals.pay_method
         union all select document::text from accounts.document`,
      ),
    )
    expect(everything).not.toMatch(/4242424242|C01X00T478/)
    const savedMethod = async () => {
      const [method] = await payMethodsOf(test.app.db, ann.id)
      if (!method) throw new Error('a card was saved')
      return method
    }
    const method = await savedMethod()
    expect(decryptNumber(CIPHER, ann.id, method)).toBe('4242424242424242')
    expect(() => decryptNumber(secretCipher(NEW_KEY), ann.id, method)).toThrow(
      /none of the configured ones/,
    )
    // What is encrypted belongs to its player and its row.
    expect(() => decryptNumber(CIPHER, ann.id + 1, method)).toThrow(DecryptionFailed)
    await test.call(setPayInfo, { ...CARD, acc_name: '5555555555554444' }, ann)
    const moved = { ...(await savedMethod()), encryptedNumber: method.encryptedNumber }
    expect(() => decryptNumber(CIPHER, ann.id, moved)).toThrow(DecryptionFailed)
  })

  it('are encrypted again when the key has changed, and then do not need the earlier key', async () => {
    const old = secretCipher(OLD_KEY)
    const { db, jobs, owner, playerId, numberBy } = await withPayee(old)
    await addMemberOfStaff({ db }, old)
    await saveDocument({ db, cipher: old }, { playerId, number: 'C01X00T478' })
    const both = { db: jobs, cipher: secretCipher(NEW_KEY, [OLD_KEY]) }
    const all = { reencrypted: 3, missing: [], broken: [] }
    expect(await reencryptNumbers(both)).toEqual(all)
    const keys = `select key_id from withdrawals.pay_method union select key_id from accounts.document
      union select totp_key_id from staff.member`
    const present = secretCipher(NEW_KEY)
    expect(await owner.column(keys)).toEqual([present.keyId])
    expect(await numberBy(present)).toBe('4242424242424242')
    expect(await reencryptNumbers({ db: jobs, cipher: present })).toMatchObject({ reencrypted: 0 })
  })

  it.each([
    { ...BANK, shown: '4242424242424242', other: '5555555555554444' },
    { ...WALLET, shown: TEST_WALLET, other: newWallet() },
  ])(
    'of a $kind cannot be exchanged for another by the jobs, which encrypt them again',
    async ({ shown, other, ...payee }) => {
      const old = secretCipher(OLD_KEY)
      const both = secretCipher(NEW_KEY, [OLD_KEY])
      const { db, jobs, playerId, methodId } = await withPayee(old, payee)
      const put = (by: SecretCipher, number: string) =>
        jobs.query('update withdrawals.pay_method set encrypted_number = $1, key_id = $2', [
          by.encrypt(Buffer.from(number), `pay method ${methodId} of ${playerId}`),
          by.keyId,
        ])
      const paid = () => payeeNumber({ db, cipher: both }, methodId)
      await expect(put(old, other)).rejects.toThrow(/never changes under a key/)
      // Nor by way of no number under another key.
      await rolledBack({ owner: jobs }, async (tx) => {
        await tx.query(`update withdrawals.pay_method set encrypted_number = '', key_id = 'x'`)
        const back = `update withdrawals.pay_method set encrypted_number = 'y', key_id = $1`
        await expect(tx.query(back, [old.keyId])).rejects.toThrow(/never changes under a key/)
      })
      expect(await paid()).toBe(shown)
      // While the key changes the jobs may write; what they wrote is compared with what its player was shown.
      await put(both, other)
      await expect(paid()).rejects.toThrow(/pay nothing to it/)
      await jobs.query(`update withdrawals.pay_method set encrypted_number = ''`)
      await expect(paid()).rejects.toThrow(/pay nothing to it/)
      for (const by of [both, old])
        await expect(put(by, shown)).rejects.toThrow(/never changes under a key/)
    },
  )

  it('whose key is lost, or that were altered, block no other, and are named and counted', async () => {
    const database = await createTestDatabase()
    const { db, owner } = database
    const old = secretCipher(OLD_KEY)
    const lost = secretCipher('a key that nobody has any more, of 32 characters')
    // More rows with a lost key than a batch has come before those that can be encrypted again.
    await owner.query(
      `with player as (
         insert into accounts.player (username, email, email_key, group_id, kind)
         select 'lost' || n, n || '@example.org', n || '@example.org', 1, 'person'
         from generate_series(1, 205) n returning id)
       insert into accounts.document (player_id, encrypted_number, shown_number, key_id)
       select id, 'sealed', '••••', $1 from player`,
      [lost.keyId],
    )
    const players: number[] = []
    for (const number of ['C01X00T1', 'C01X00T2', 'C01X00T3']) {
      const playerId = await addPlayer(database, { u: 0 })
      players.push(playerId)
      await saveDocument({ db, cipher: old }, { playerId, number })
    }
    const altered = players[1]
    await owner.query(
      `update accounts.document set encrypted_number = encrypted_number || '\\x00' where player_id = $1`,
      [altered],
    )
    const both = { db, cipher: secretCipher(NEW_KEY, [OLD_KEY]) }
    const faults = {
      missing: [{ keyId: lost.keyId, rows: 205 }],
      broken: [{ kind: 'document', id: altered }],
    }
    expect(await reencryptNumbers(both)).toEqual({ reencrypted: 2, ...faults })
    expect(await reencryptNumbers(both)).toEqual({ reencrypted: 0, ...faults })
  })

  it('stay readable when a key is taken back, and then go under a third one', async () => {
    const { db, jobs, owner, playerId, numberBy } = await withPayee(secretCipher(OLD_KEY))
    const under = async (present: string, ...earlier: string[]) => {
      const cipher = secretCipher(present, earlier)
      const { reencrypted } = await reencryptNumbers({ db: jobs, cipher })
      return [reencrypted, await numberBy(cipher)]
    }
    expect(await under(NEW_KEY, OLD_KEY)).toEqual([1, '4242424242424242'])
    await saveDocument({ db, cipher: secretCipher(NEW_KEY) }, { playerId, number: 'C01X00T478' })
    // The document, which no rule keeps from the earlier key, comes back.
    expect(await under(OLD_KEY, NEW_KEY)).toEqual([1, '4242424242424242'])
    expect(await under(THIRD_KEY, OLD_KEY, NEW_KEY)).toEqual([2, '4242424242424242'])
    // A row that the database refuses blocks no other.
    const { keyId } = secretCipher(OLD_KEY)
    await owner.query(
      `alter table accounts.document add constraint refused check (key_id <> '${keyId}') not valid`,
    )
    await saveDocument({ db, cipher: secretCipher(NEW_KEY) }, { playerId, number: 'C01X00T479' })
    await addMemberOfStaff({ db }, secretCipher(NEW_KEY))
    const cipher = secretCipher(OLD_KEY, [NEW_KEY, THIRD_KEY])
    expect(await reencryptNumbers({ db: jobs, cipher })).toMatchObject({
      reencrypted: 1,
      broken: [{ kind: 'document', id: playerId }],
    })
  })

  it('are in the log of the daily job: which key is missing, and how many rows need it', async () => {
    const { log, lines } = captureLog()
    const database = await createTestDatabase()
    const { db } = database
    const lost = secretCipher(OLD_KEY)
    const playerId = await addPlayer(database, { u: 0 })
    await saveDocument({ db, cipher: lost }, { playerId, number: 'C01X00T478' })
    await workerOn(database, { log, cipher: secretCipher(NEW_KEY) })
    await database.owner.query(`select graphile_worker.add_job('reencrypt-numbers')`)
    const reported = await eventually(() => lines.find((line) => line.includes(lost.keyId)))
    expect(JSON.parse(reported)).toMatchObject({ level: 50, keyId: lost.keyId, rows: 1 })
    expect(reported).toContain('SECRET_KEY lacks')
  })
})
