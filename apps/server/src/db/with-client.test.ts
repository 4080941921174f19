import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createTestDatabase } from '#testing/database/test-database.ts'
import { withClient } from './with-client.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..', '..')

it('work on a connection that breaks between two statements fails by the next, and nothing else does', async () => {
  const { applicationUrl, owner } = await createTestDatabase()
  const work = withClient(applicationUrl, async (client) => {
    const { rows } = await client.query('select pg_backend_pid() as pid')
    const ended = new Promise((end) => client.on('end', () => end(undefined)))
    await owner.query('select pg_terminate_backend($1)', [rows[0].pid])
    await ended
    await client.query('select')
  })
  await expect(work).rejects.toThrow('not queryable')
})

it('has closed its connection when it returns, also after work that failed', async () => {
  const { applicationUrl, owner } = await createTestDatabase()
  const mine = { connectionString: applicationUrl, application_name: 'one work' }
  expect(await withClient(mine, async () => 28)).toBe(28)
  await expect(withClient(mine, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(
    await owner.query(
      `select from pg_stat_activity where application_name = 'one work' and datname = current_database()`,
    ),
  ).toEqual([])
})

it('connections are opened only where their breaking is listened to', () => {
  const files = globSync('{apps,lab,tools}/**/*.{ts,mjs}', {
    cwd: ROOT,
    exclude: ['**/node_modules/**', '**/dist/**'],
  })
  const opened = files.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8')
    const count = (what: RegExp) => text.match(what)?.length ?? 0
    const openings = count(/\bnew (pg\.)?(Client|Pool)\(/g)
    return openings > 0 ? [{ file, unheard: Math.max(0, openings - count(/\.on\('error'/g)) }] : []
  })
  expect(opened.length).toBeGreaterThan(3)
  expect(opened.filter(({ unheard }) => unheard > 0)).toEqual([])
})
