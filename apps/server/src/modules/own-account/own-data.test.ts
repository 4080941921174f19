/** A player's file: all data that is stored about him, nothing secret, for no one else, and for a limited time. */
import { askOwnData, ownData, ownDataFile } from '@sum28/contract/own-routes.ts'
import { prove } from '@sum28/contract/passkey-routes.ts'
import { strFromU8, unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { reencryptColumn } from '#src/db/reencryption.ts'
import { setLimit, setRealityCheck } from '#src/modules/protection/protection-store.ts'
import { DecryptionFailed, secretCipher } from '#src/secrets/secret-cipher.ts'
import { addPlayer, openTestRound, orderFor, placeAll } from '#testing/database/fixtures.ts'
import { createTestDatabase, eachTestDatabase } from '#testing/database/test-database.ts'
import { addWallet, setCode } from '#testing/people/cashier.ts'
import { confirm, end, latestAbout, propose } from '#testing/people/proposals.ts'
import { changePlayer } from '#testing/people/seated-player.ts'
import { staffToken } from '#testing/people/staff.ts'
import { CIPHER, SECRET_KEY } from '#testing/product/secret-key.ts'
import {
  answerTo,
  deposit,
  expectSuccess,
  mailTo,
  registerMember,
  TEST_PASSWORD,
  useWorkersApp,
} from '#testing/product/test-app.ts'
import { parseCsv } from '#testing/requests/parse-csv.ts'
import { eventually } from '#testing/requests/patience.ts'
import {
  addDataFile,
  dataFileOf,
  dropOldFiles,
  IN_ACCOUNT_JSON,
  makeOwnData,
  OWN_DATA,
  ownDataZip,
  readPart,
} from './make-own-data.ts'
import { LEFT_OUT, OWN_TABLES } from './own-data-tables.ts'

const DAY_MS = 86_400_000
const password = TEST_PASSWORD

/** Columns by which a row is a player's. */
const NAMES_A_PLAYER =
  /^(player_id|holder_id|inviter_id|like_player|email|email_key|username|owner)$/

type Files = Record<string, string>

async function unzipped(chunks: AsyncIterable<Uint8Array>): Promise<Files> {
  const pieces: Uint8Array[] = []
  for await (const piece of chunks) pieces.push(piece)
  return textsOf(Buffer.concat(pieces))
}

function textsOf(zip: Uint8Array): Files {
  return Object.fromEntries(
    Object.entries(unzipSync(zip)).map(([name, bytes]) => [name, strFromU8(bytes)]),
  )
}

function rowsOf(files: Files, name: string): string[][] {
  return parseCsv((files[name] ?? '').replace('\uFEFF', '')).slice(1)
}

function fetchFile({ token }: { token: string }): Promise<Response> {
  return test.fetch(ownDataFile.path, { headers: { Token: token } })
}

const test = useWorkersApp()

describe('the tables of the file', () => {
  it('are all that name a player, except those with a reason', async () => {
    const { owner } = await createTestDatabase()
    const columns = await owner.query<{ table: string; name: string }>(
      `select attrelid::regclass::text as table, attname::text as name
       from pg_attribute join pg_class on pg_class.oid = attrelid
         join pg_namespace on pg_namespace.oid = relnamespace
       where relkind in ('r', 'p') and not relispartition and attnum > 0 and not attisdropped
         and nspname !~ '^(pg_|information_schema|graphile|public$)'`,
    )
    const named = new Set(
      columns.filter(({ name }) => NAMES_A_PLAYER.test(name)).map(({ table }) => table),
    )
    const tables = OWN_TABLES.map(({ table }) => table)
    expect([...named].filter((table) => !tables.includes(table) && !LEFT_OUT[table])).toEqual([])
    expect(tables.filter((table) => LEFT_OUT[table])).toEqual([])
    // And of each table every column is shown, or withheld for a reason.
    for (const { table, columns: shown, withheld = {} } of OWN_TABLES) {
      const all = columns.filter((each) => each.table === table).map(({ name }) => name)
      const hidden = Object.values(withheld).flatMap((names) => names.split(' '))
      const columnNames = [...shown.map(({ name }) => name), ...hidden, 'player_id']
      expect([table, all.filter((name) => !columnNames.includes(name))]).toEqual([table, []])
      const known = [...all, 'player_id']
      expect([table, columnNames.filter((name) => !known.includes(name))]).toEqual([table, []])
    }
  })

  it('and the withheld columns are all that contain a hash, an encrypted value or a key', async () => {
    const secret = /hash|encrypted|secret|key_id|_key$|token|asked_from/
    const shown = OWN_TABLES.flatMap(({ table, columns }) =>
      columns.filter(({ name }) => secret.test(name)).map(({ name }) => `${table}.${name}`),
    )
    expect(shown).toEqual([])
  })
})

describe('a file', () => {
  const { database, db, owner } = eachTestDatabase()

  /** The file of a new player, which was requested and made. */
  async function madeFile() {
    const playerId = await addPlayer(database)
    await db.transaction((tx) => addDataFile(tx, playerId))
    const id = (await dataFileOf(db, playerId))?.id ?? 0n
    await makeOwnData({ db: database.jobs, cipher: CIPHER }, id)
    return { playerId, id }
  }

  it('has every row of the player, in each table, and none of another', async () => {
    const [mine, other] = [await addPlayer(database), await addPlayer(database)]
    const round = await openTestRound(database)
    for (const _ of [1, 2, 3]) {
      expect(await placeAll(database, [orderFor(mine, round, { u: 100 })])).toEqual([null])
    }
    await placeAll(database, [orderFor(other, round)])
    // More rows than one read returns.
    await owner.query(
      `insert into inbox.message (player_id, kind, facts)
       select $1, 'deposit_credited', jsonb_build_object('amount', n::text) from generate_series(1, 1203) n`,
      [mine],
    )
    const files = await unzipped(ownDataZip({ db, cipher: CIPHER }, mine))
    expect(Object.keys(files)).toContain('account.json')
    for (const { table, whose = 'player_id = $1' } of OWN_TABLES) {
      const count = await owner.value<bigint>(`select count(*) from ${table} where ${whose}`, [
        mine,
      ])
      const inJson = JSON.parse(files['account.json'] ?? '{}')[table]?.length
      const rowCount = inJson ?? rowsOf(files, `${table.replace('.', '-')}.csv`).length
      expect([table, rowCount]).toEqual([table, Number(count)])
    }
    const bets = rowsOf(files, 'bets-bet.csv')
    const stakes = rowsOf(files, 'ledger-posting.csv').filter((row) => row.includes('stake'))
    expect([bets.length, stakes.length]).toEqual([3, 3])
    expect(bets[0]).toContain('100.000000')
  })

  it('has each amount in u, also in sums, changes and signs', async () => {
    const playerId = await addPlayer(database)
    const round = await openTestRound(database)
    expect(await placeAll(database, [orderFor(playerId, round, { u: 100 })])).toEqual([null])
    await setLimit(db, { playerId, kind: 'stake', period: 'day', amount: 100_000_000n })
    await setRealityCheck(db, { playerId, everyMinutes: 90 })
    await owner.query(
      `insert into console_players.sign (player_id, kind, since_day, until_day, facts)
       values ($1, 'nights', '2026-11-20', '2026-11-20',
         '[{"day": "2026-11-20", "values": {"bets": "7", "staked": "120500000"}}]')`,
      [playerId],
    )
    const files = await unzipped(ownDataZip({ db, cipher: CIPHER }, playerId))
    const [sums] = JSON.parse(files['account.json'] ?? '{}')['protection.player'] ?? []
    expect(sums.staked).toBe('{100.000000,100.000000,100.000000}')
    const factsOf = (file: string) =>
      rowsOf(files, file).map((row) => JSON.parse(row.findLast((cell) => /^[[{]/.test(cell)) ?? ''))
    expect(factsOf('protection-change.csv')).toEqual([
      { kind: 'stake', period: 'day', before: null, after: '100.000000' },
      { before: null, after: 90 },
    ])
    expect(factsOf('console_players-sign.csv')).toEqual([
      [{ day: '2026-11-20', values: { bets: '7', staked: '120.500000' } }],
    ])
  })

  it('has the separator and the decimals of the language of its player', async () => {
    const playerId = await addPlayer(database)
    await changePlayer(database, playerId, `lang = 'id'`)
    const files = await unzipped(ownDataZip({ db, cipher: CIPHER }, playerId))
    const [head = '', first = ''] = (files['ledger-posting.csv'] ?? '').split('\r\n')
    expect(head.split(';').length).toBeGreaterThan(5)
    expect(first).toMatch(/;"\d+,000000";/)
  })

  it('contains only confirmed corrections of the balance', async () => {
    const playerId = await addPlayer(database)
    const [maker, other] = [await staffToken(database), await staffToken(database)]
    const subject = `player:${playerId}`
    const content = { player_id: playerId, amount: '1000000' }
    const ask = () => propose(db, { kind: 'debit', subject, content, session: maker })
    for (const decide of [confirm, end]) {
      expect(await ask()).toBe('proposed')
      await decide(db, await latestAbout(db, subject), other)
    }
    expect(await ask()).toBe('proposed')
    const files = await unzipped(ownDataZip({ db, cipher: CIPHER }, playerId))
    expect(rowsOf(files, 'staff-proposal.csv')).toEqual([
      expect.arrayContaining(['a test', 'confirmed', '1.000000']),
    ])
  })

  it('is requested with the password, made, announced by mail, and given to its owner alone', async () => {
    const [mai, kim] = [await registerMember(test), await registerMember(test)]
    await deposit(test, mai, 500)
    const ask = (given = password) => answerTo(test.call(askOwnData, { password: given }, mai))
    expect(await ask('not the password')).toBe('password_wrong')
    const proofRequired = { data: { reason: 'proof_required' } }
    expect(await (await fetchFile(mai)).json()).toMatchObject(proofRequired)
    await setCode(test, mai)
    await addWallet(test, mai)
    // One at a time.
    expect([await ask(), await ask()]).toEqual(['done', 'own_data_asked'])
    const ready = await eventually(async () => {
      const { data } = await test.call(ownData, {}, mai)
      return data.state === 'ready' ? data : undefined
    })
    const mail = await mailTo(test, mai.email, ({ subject }) => /data/.test(subject))
    expect(mail.text).toContain('7 days')
    expect(mail.text).not.toContain('http')

    // The thief of a session has no password.
    await test.database.owner.query(
      `update accounts.session set proved_at = proved_at - interval '6 minutes' where player_id = $1`,
      [mai.id],
    )
    expect(await (await fetchFile(mai)).json()).toMatchObject(proofRequired)
    expectSuccess(await test.call(prove, { password }, mai))
    const response = await fetchFile(mai)
    expect(response.headers.get('content-type')).toBe('application/zip')
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect(bytes.length).toBe(ready.bytes)
    const files = textsOf(bytes)
    const account = JSON.parse(files['account.json'] ?? '')
    expect(account['accounts.player']).toMatchObject([{ username: mai.username, email: mai.email }])
    expect(account['ledger.balance']).toMatchObject([{ cash: '500.000000' }])

    // Nothing in it is a secret of the account.
    const all = Object.values(files).join('\n')
    const secrets = await test.database.owner.column<string>(
      `select password_hash from accounts.player where id = $1
       union all select code_hash from accounts.security_code where player_id = $1
       union all select encode(token_hash, 'hex') from accounts.session where player_id = $1
       union all select encode(encrypted_number, 'hex') from withdrawals.pay_method where player_id = $1`,
      [mai.id],
    )
    expect(secrets.length).toBeGreaterThan(3)
    for (const secret of secrets) expect(all).not.toContain(secret)
    expect(all).not.toContain(mai.token)

    expectSuccess(await test.call(prove, { password }, kim))
    expect((await fetchFile(kim)).status).toBe(404)
    expect((await test.fetch(ownDataFile.path)).status).toBe(401)
    expect((await test.call(ownData, {}, kim)).data.state).toBe('none')
  })

  it('is requested once by many calls at once; what a process began and did not finish is made again completely', async () => {
    const playerId = await addPlayer(database)
    const add = () => db.transaction((tx) => addDataFile(tx, playerId))
    const added = await Promise.all(Array.from({ length: 8 }, add))
    expect(added.filter(Boolean)).toHaveLength(1)
    const jobs = `select from graphile_worker.jobs where task_identifier = 'make-own-data'`
    expect(await owner.query(jobs)).toHaveLength(1)
    const id = (await dataFileOf(db, playerId))?.id ?? 0n
    await db.query(
      `insert into own_account.data_part values ($1, 0, 'half', ''), ($1, 7, 'more', '')`,
      [id],
    )
    await makeOwnData({ db, cipher: CIPHER }, id)
    expect(await db.query('select from own_account.data_part')).toHaveLength(1)
    const part = await readPart({ db, cipher: CIPHER }, { fileId: id, position: 0 })
    const files = textsOf(part ?? Buffer.alloc(0))
    expect(Object.keys(files)).toHaveLength(OWN_TABLES.length - IN_ACCOUNT_JSON.length + 1)
    // A repeated job does not change a file that is ready.
    await makeOwnData({ db, cipher: CIPHER }, id)
    expect((await dataFileOf(db, playerId))?.readyAt).not.toBeNull()
    const notices = await db.query(`select from inbox.message where kind = 'own_data_ready'`)
    expect(notices).toHaveLength(1)
  })

  it('is stored encrypted, each piece for its place, and again with a new key', async () => {
    const { id: fileId } = await madeFile()
    const stored = JSON.stringify(
      await owner.query('select part::text from own_account.data_part part'),
    )
    expect(stored).not.toContain(Buffer.from('account.json').toString('hex'))
    const later = secretCipher('another key, of more than 32 characters', [SECRET_KEY])
    expect(await reencryptColumn({ db: database.jobs, cipher: later }, OWN_DATA)).toEqual({
      reencrypted: 1,
      missing: [],
      broken: [],
    })
    const read = (position: number) => readPart({ db, cipher: later }, { fileId, position })
    const files = textsOf((await read(0)) ?? Buffer.alloc(0))
    expect(Object.keys(files)).toContain('account.json')
    await owner.query('update own_account.data_part set position = 1')
    await expect(read(1)).rejects.toThrow(DecryptionFailed)
  })

  it('is deleted seven days after its request, and can be requested again', async () => {
    const end = Date.UTC(2026, 10, 27, 4)
    await database.freezeClock(end - 7 * DAY_MS)
    const { playerId } = await madeFile()
    await database.freezeClock(end - 1)
    expect(await dataFileOf(db, playerId)).toBeDefined()
    await database.freezeClock(end)
    expect(await dataFileOf(db, playerId)).toBeUndefined()
    await database.freezeClock(end + 1)
    expect(await dropOldFiles(db)).toBe(1)
    expect(await db.query('select from own_account.data_part')).toEqual([])
    expect(await db.transaction((tx) => addDataFile(tx, playerId))).toBe(true)
  })
})
