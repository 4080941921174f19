/** The file of a picture and its row: after any failure in between, no avatar is without its file. */
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type FileStore, fileStore } from '#src/adapters/files/file-store.ts'
import { sealer } from '#src/secrets/sealer.ts'
import { addPlayer } from '#testing/fixtures.ts'
import { somebodyWaits } from '#testing/lock-wait.ts'
import { createTestDatabase } from '#testing/test-database.ts'
import { addPicture, lockPictureFile, lockPictures, setAvatar } from './picture-store.ts'
import { removeUnowned } from './remove-unowned.ts'
import { saveProfile } from './save-profile.ts'
import { sweepPictures } from './sweep-pictures.ts'

const name = (letter: string) => `${letter.repeat(32)}.webp`
const [OLD, NEW] = [name('a'), name('b')]

/** A player with two pictures, the old one his avatar, and where their files are. */
async function pictures() {
  const database = await createTestDatabase()
  const { db, owner } = database
  const place = mkdtempSync(join(tmpdir(), 'sum28-pictures-'))
  onTestFinished(() => rmSync(place, { recursive: true, force: true }))
  const files = fileStore(place)
  const playerId = await addPlayer(database, { u: 0 })
  await db.transaction(async (tx) => {
    for (const each of [OLD, NEW]) await addPicture(tx, { playerId, name: each })
    await setAvatar(tx, { playerId, avatar: `/uploads/${OLD}`, name: OLD })
  })
  for (const each of [OLD, NEW]) writeFileSync(join(place, each), 'x')
  return {
    database,
    db,
    files,
    playerId,
    isThere: (each: string) => existsSync(join(place, each)),
    /** Makes a file old enough for the sweep. */
    age(each: string) {
      const old = (Date.now() - 90_000_000) / 1_000
      utimesSync(join(place, each), old, old)
    },
    choose: (store: FileStore = files) =>
      saveProfile(
        { db, files: store, sealer: sealer('x'.repeat(32)), noteMark: async () => null },
        {
          ...{ playerId, avatar: `/uploads/${NEW}`, idcard: undefined },
          ...{ origins: [], network: '198.51.100.7' },
        },
      ),
    async avatar() {
      const [row] = await owner.query<{ avatar: string }>(
        'select avatar from accounts.player where id = $1',
        [playerId],
      )
      return row?.avatar
    },
  }
}

describe('choosing another avatar', () => {
  it('removes the files of the others', async () => {
    const { choose, isThere, avatar } = await pictures()
    expect(await choose()).toBeNull()
    expect([isThere(OLD), isThere(NEW)]).toEqual([false, true])
    expect(await avatar()).toBe(`/uploads/${NEW}`)
  })

  it('removes none if it is not committed', async () => {
    const { database, choose, isThere, avatar } = await pictures()
    // The failure comes at the very end, after everything else.
    await database.owner.query(`
      create function pg_temp_fail() returns trigger language plpgsql as
        $$ begin raise exception 'the disk of the database is full'; end $$;
      create constraint trigger fails_at_the_end after update on accounts.player
        deferrable initially deferred for each row execute function pg_temp_fail()`)
    await expect(choose()).rejects.toThrow('the disk of the database is full')
    expect([isThere(OLD), isThere(NEW)]).toEqual([true, true])
    expect(await avatar()).toBe(`/uploads/${OLD}`)
  })

  it('leaves a file for the sweep if the process ends right afterwards', async () => {
    const { db, files, choose, isThere, age, avatar } = await pictures()
    const ended = new Error('the process ended')
    const ending: FileStore = { ...files, remove: () => Promise.reject(ended) }
    await expect(choose(ending)).rejects.toBe(ended)
    expect(await avatar()).toBe(`/uploads/${NEW}`)
    expect(isThere(OLD)).toBe(true)
    age(OLD)
    age(NEW)
    await sweepPictures({ db, files })
    expect([isThere(OLD), isThere(NEW)]).toEqual([false, true])
  })
})

describe('a file without an owner', () => {
  it('stays if the same picture is being uploaded again', async () => {
    const { database, db, files, playerId, isThere } = await pictures()
    await database.owner.query('delete from accounts.uploaded_picture where name = $1', [NEW])
    const removed = await db.transaction(async (tx) => {
      await lockPictures(tx, playerId)
      await lockPictureFile(tx, NEW)
      await addPicture(tx, { playerId, name: NEW })
      const waiting = removeUnowned({ db, files }, [NEW])
      await somebodyWaits(database)
      return { waiting }
    })
    await removed.waiting
    expect(isThere(NEW)).toBe(true)
  })

  it('stays if the picture is being chosen while old ones are swept', async () => {
    const { database, db, files, playerId, isThere, age, avatar } = await pictures()
    await database.owner.query(
      `update accounts.uploaded_picture set created_at = created_at - interval '25 hours'`,
    )
    age(NEW)
    const swept = await db.transaction(async (tx) => {
      await lockPictures(tx, playerId)
      await setAvatar(tx, { playerId, avatar: `/uploads/${NEW}`, name: NEW })
      const waiting = sweepPictures({ db, files })
      await somebodyWaits(database)
      return { waiting }
    })
    await swept.waiting
    expect(await avatar()).toBe(`/uploads/${NEW}`)
    expect(isThere(NEW)).toBe(true)
  })
})
