/** The role that the product works under. It owns nothing. */
import { deriveKey } from '#src/secrets/secret-cipher.ts'
import { withClient } from './with-client.ts'

/** The name of a database's application role. */
export function applicationRole(database: string): string {
  return `${database}_app`
}

/** Its password, derived from SECRET_KEY and stored nowhere. */
export function applicationPassword(secretKey: string): string {
  return deriveKey(secretKey, 'application role').toString('hex')
}

/**
 * Makes the login role of a database, or sets its password again.
 *
 * @returns the address under which the application connects
 */
export async function makeApplicationRole(ownerUrl: string, secretKey: string): Promise<string> {
  return withClient(ownerUrl, async (client) => {
    const { rows } = await client.query<{ database: string }>(
      'select current_database() as database',
    )
    const database = rows[0]?.database ?? ''
    const role = applicationRole(database)
    const password = applicationPassword(secretKey)
    const named = client.escapeIdentifier(role)
    // Two processes that start at once would update the same catalog row.
    await client.query(`select pg_advisory_lock(hashtext('sum28 application role'))`)
    const exists = await client.query('select from pg_roles where rolname = $1', [role])
    await client.query(
      `${exists.rowCount ? 'alter' : 'create'} role ${named} login password ${client.escapeLiteral(password)}`,
    )
    await client.query(`grant sum28_application to ${named}`)
    // Without this, PostgreSQL's JIT would compile the plan of each order for seconds: bets.place disables sequential
    // scans, and the planner then estimates very high costs.
    await client.query(`alter role ${named} set jit = off`)
    await client.query(
      `revoke temporary on database ${client.escapeIdentifier(database)} from public`,
    )
    const url = new URL(ownerUrl)
    url.username = encodeURIComponent(role)
    url.password = encodeURIComponent(password)
    return url.toString()
  })
}
