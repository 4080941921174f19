/** A clone of the migrated template, with a clock that can be set. Nothing here needs a test runner. */
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { openDatabase } from '#src/db/database.ts'
import { type Addresses, addressOf, loginOf, PARTS } from '#src/db/logins.ts'
import { withClient } from '#src/db/with-client.ts'
import { CIPHER, LOGIN_KEYS } from '../product/secret-key.ts'
import { PATIENT_TO_CONNECT } from '../requests/patience.ts'

export const TEMPLATE = 'sum28_template'

/** A login that may do what all parts may: tests of functions are those of no part. */
export const ALL_PARTS = { name: 'sum28_template_all', password: 'of all parts', parts: PARTS }

export type TestDatabase = ReturnType<typeof databaseOf>

/**
 * Clones a database that the caller drops.
 *
 * @param server the owner's address of the server that has the template
 */
export async function cloneTemplate(server: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  // On a server without durability, copying the files is faster than logging the copy.
  await onServer(server, (admin) =>
    admin.query(`create database ${name} template ${TEMPLATE} strategy file_copy`),
  )
  return databaseOf(server, name)
}

/** A clone that exists, which another process may have made. */
export function databaseOf(server: string, name: string) {
  const asAdmin = (work: (admin: pg.Client) => Promise<unknown>) => onServer(server, work)
  const ownerUrl = new URL(addressIn(server, { pathname: `/${name}` }))
  const { name: username, password } = ALL_PARTS
  const applicationUrl = addressIn(ownerUrl, { username, password })
  // Tests send a hundred statements at once, and hold a transaction while they do other things, on busy machines.
  const patient = { limits: PATIENT_TO_CONNECT, pauseMaxMs: 0 }
  const open = (url: string, connectionsMax: number) => {
    const opened = openDatabase(named(url), { connectionsMax, cipher: CIPHER, ...patient })
    // A new connection plans each statement anew.
    opened.pool.options.idleTimeoutMillis = 60_000
    return opened
  }
  const owner = open(ownerUrl.toString(), 4)
  const db = open(applicationUrl, 20)
  const addresses = addressesOf(ownerUrl)
  const jobs = open(addresses.jobs, 4)

  return {
    name,
    /** As a login that may do what all parts together may. */
    db,
    applicationUrl,
    /** As the owner, with more rights than the application. */
    owner,
    ownerUrl: ownerUrl.toString(),
    jobs,
    /** Of each part's own login. */
    addresses,
    /** Moves the database's clock forward (or back) by milliseconds. */
    async shiftClock(ms: number): Promise<void> {
      await owner.query(`update app.test_clock set shift = shift + make_interval(secs => $1)`, [
        ms / 1000,
      ])
    },
    async freezeClock(at: number): Promise<void> {
      await owner.query(`update app.test_clock set frozen_at = $1`, [new Date(at)])
    },
    /** Sets the clock, which runs on from there. */
    async moveClock(at: number): Promise<void> {
      await owner.query(
        `update app.test_clock set frozen_at = null, shift = $1 - clock_timestamp()`,
        [new Date(at)],
      )
    },
    /** Refuses new connections and breaks all present ones: the database is down. */
    takeAway: () => asAdmin((admin) => closeDatabase(admin, name)),
    giveBack: () =>
      asAdmin((admin) => admin.query(`alter database ${name} allow_connections true`)),
    async drop(): Promise<void> {
      await Promise.all([db.close(), jobs.close(), owner.close()])
      await asAdmin(async (admin) => {
        const dropIt = () => admin.query(`drop database ${name} with (force)`)
        // It ends the present connections, but gives them only five seconds.
        await dropIt().catch(async () => {
          await closeDatabase(admin, name)
          await dropIt()
        })
        await admin.query(`drop role if exists ${PARTS.map((part) => loginOf(name, part))}`)
      })
    },
  }
}

/** Refuses new connections, and ends all present ones: none is left when this returns. */
async function closeDatabase(admin: pg.Client, name: string): Promise<void> {
  await admin.query(`alter database ${name} allow_connections false`)
  // A connection that was let in before may not be listed at once.
  for (let quietLooks = 0; quietLooks < 2; ) {
    const { rows } = await admin.query(
      'select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = $1',
      [name],
    )
    quietLooks = rows.length === 0 ? quietLooks + 1 : 0
  }
}

/**
 * The product's clock is a function that reads the system's; that of the template, and so of each test's database, can
 * be set. Whoever sets it tells the processes of a running product. Bets are taken before it was compared with a beacon's.
 */
export const SETTABLE_CLOCK = `
  create table app.test_clock (shift interval not null, frozen_at timestamptz);
  insert into app.test_clock values ('0');
  grant select on app.test_clock to sum28_application;
  create or replace function app.now() returns timestamptz language sql volatile
  return (select coalesce(frozen_at, clock_timestamp() + shift) from app.test_clock);
  create function app.clock_moved() returns trigger language plpgsql as $$
  begin
    perform pg_notify('sum28_news', '{"from":"clock","news":["clockMoved:0"]}');
    return null;
  end $$;
  create trigger clock_moved after update on app.test_clock execute function app.clock_moved();
  update games.house set clocks_compared_at = null`

/** Each year's table costs every plan, whether it has rows or not: clones have two years, and the others' table. */
export const WITHOUT_LATER_YEARS = `;
  do $$
  begin
    for year in 2028 .. 2035 loop
      execute format('drop table bets.bet_%s, ledger.posting_%s', year, year);
    end loop;
  end $$`

/** Makes the tables of those years again, for tests of plans. */
export const LATER_YEARS = `
  select app.add_year('ledger.posting', year, 'fillfactor = 100'),
    app.add_year('bets.bet', year, 'fillfactor = 50', 'player_id, client_key')
  from generate_series(2028, 2035) year`

/** The test's own connections are told from those of a product by their name. */
export const OWN_CONNECTION = 'a test'

function named(address: string): string {
  const url = new URL(address)
  url.searchParams.set('application_name', OWN_CONNECTION)
  return url.toString()
}

/** The logins that the template's maker has made serve all of its clones. */
function addressesOf(ownerUrl: URL): Addresses {
  const template = addressIn(ownerUrl, { pathname: `/${TEMPLATE}` })
  const [api, engine, jobs] = PARTS.map((part) =>
    addressIn(addressOf(part, template, LOGIN_KEYS), { pathname: ownerUrl.pathname }),
  )
  return { api, engine, jobs } as Addresses
}

/** Works as the owner in the database that each server has. */
export async function onServer(
  server: string,
  work: (admin: pg.Client) => Promise<unknown>,
): Promise<void> {
  await withClient(addressIn(server, { pathname: '/postgres' }), work)
}

/** An address with some parts changed. */
export function addressIn(address: string | URL, parts: Partial<URL>): string {
  return Object.assign(new URL(address), parts).toString()
}
