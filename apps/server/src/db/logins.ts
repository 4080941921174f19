/** The logins that the parts of the product work under. They own nothing, and each may only do what its part does. */
import type pg from 'pg'
import { deriveKey } from '#src/secrets/secret-cipher.ts'
import { withClient } from './with-client.ts'

export const PARTS = ['api', 'engine', 'jobs'] as const

/** A part of the product. What it may do in the database is granted to the role `sum28_<part>`. */
export type Part = (typeof PARTS)[number]

/** The database's address for each part; a process that is one part has one address. */
export type Addresses = Readonly<Record<Part, string>>

/** The addresses of a process that is one part. */
export function onlyAddress(address: string): Addresses {
  return { api: address, engine: address, jobs: address }
}

/** What the passwords follow from. */
export type LoginKeys = { readonly secretKey: string; readonly seedKey: string }

/** The name of a part's login in a database that a process with ROLE=all has prepared. */
export function loginOf(database: string, part: Part): string {
  return `${database}_login_${part}`
}

/** Its password, stored nowhere. Who knows SECRET_KEY alone cannot log in as the engine. */
function passwordOf(part: Part, { secretKey, seedKey }: LoginKeys): string {
  return deriveKey(part === 'engine' ? seedKey : secretKey, `login of ${part}`).toString('hex')
}

/** The address of a part's login on the same server and database. */
export function addressOf(part: Part, address: string, keys: LoginKeys): string {
  const url = new URL(address)
  url.username = encodeURIComponent(loginOf(decodeURIComponent(url.pathname.slice(1)), part))
  url.password = encodeURIComponent(passwordOf(part, keys))
  return url.toString()
}

/** Makes the logins of all parts for a database that is up to date, or sets their passwords again. */
export async function makeLogins(ownerUrl: string, keys: LoginKeys): Promise<Addresses> {
  return withClient(ownerUrl, async (client) => {
    const { rows } = await client.query<{ database: string }>(
      'select current_database() as database',
    )
    const database = rows[0]?.database ?? ''
    // Two processes that start at once would update the same catalog row.
    await client.query(`select pg_advisory_lock(hashtext('sum28 logins'))`)
    for (const part of PARTS) {
      const login = { name: loginOf(database, part), password: passwordOf(part, keys) }
      await makeLogin(client, { ...login, parts: [part] })
    }
    const [api, engine, jobs] = PARTS.map((part) => addressOf(part, ownerUrl, keys))
    return { api, engine, jobs } as Addresses
  })
}

/** Makes one login, or sets its password again. */
export async function makeLogin(
  owner: pg.Client,
  { name, password, parts }: { name: string; password: string; parts: readonly Part[] },
): Promise<void> {
  const login = owner.escapeIdentifier(name)
  const { rowCount } = await owner.query('select from pg_roles where rolname = $1', [name])
  await owner.query(
    `${rowCount ? 'alter' : 'create'} role ${login} login password ${owner.escapeLiteral(password)}`,
  )
  const roles = parts.map((part) => `sum28_${part}`).join(', ')
  await owner.query(`grant ${roles} to ${login}`)
}
