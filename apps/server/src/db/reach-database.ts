/** What a process asks of an external database before it starts. Each refusal is one sentence, without the password. */
import type pg from 'pg'
import { StartError } from '#src/process/start-error.ts'
import { CONNECT_AT_START_MS } from './limits.ts'
import { PARTS, type Part } from './logins.ts'
import { withClient } from './with-client.ts'

const SERVER_VERSION_MIN = 150_000

/** A limit of time as our connections give it at their start, and as the server then names it. */
const LIMIT = { given: 28_000, named: '28s' }

type Facts = {
  version: number
  /** Whether the server has the limit of time that the connection gave. */
  limited: boolean
  /** The role of the address. */
  login: string
  makesRoles: boolean
  owns: boolean
  powerful: boolean
  /** The parts whose roles it is a member of, and those whose roles are there. */
  parts: readonly Part[]
  made: readonly Part[]
}

/**
 * Checks that the owner's database is reachable, is new enough, gets our limits of time, and lets us make roles.
 *
 * @throws StartError that says what to do
 */
export async function reachAsOwner(ownerUrl: string): Promise<void> {
  const { makesRoles } = await factsOf(ownerUrl)
  if (makesRoles) return
  throw new StartError(
    `The role of DATABASE_URL at ${placeOf(ownerUrl)} may not make roles: give it CREATEROLE, for the parts of the product work under roles of their own.`,
  )
}

/**
 * Checks that a process with one role logs in as what it is, as a member of its own part's role and of no other, at a
 * database that is reachable, is new enough, and gets our limits of time.
 *
 * @throws StartError that says what to do
 */
export async function reachAsPart(address: string, part: Part): Promise<void> {
  const { login, owns, powerful, parts, made } = await factsOf(address)
  const refuse = (why: string) =>
    new StartError(`ROLE=${part} needs a login of its own in DATABASE_URL: ${why}.`)
  const making = `as the owner, create role … login password '…' in role sum28_${part}`
  if (owns) {
    throw refuse(
      `${login} owns the database, and its address is for ROLE=migrate and ROLE=all alone; ${making}`,
    )
  }
  if (powerful) {
    throw refuse(`${login} is a superuser, or may make roles, replicate or see all rows; ${making}`)
  }
  if (!made.includes(part)) {
    throw refuse(`there is no role sum28_${part} yet; start once with ROLE=migrate, then ${making}`)
  }
  if (!parts.includes(part)) {
    throw refuse(
      `${login} is no member of sum28_${part}; as the owner, grant sum28_${part} to ${login}`,
    )
  }
  const other = parts.find((each) => each !== part)
  if (other) {
    throw refuse(
      `${login} is also a member of sum28_${other}; as the owner, revoke sum28_${other} from ${login}`,
    )
  }
}

async function factsOf(address: string): Promise<Facts> {
  const config = {
    connectionString: address,
    connectionTimeoutMillis: CONNECT_AT_START_MS,
    lock_timeout: LIMIT.given,
  }
  const facts = await withClient(config, readFacts).catch((cause) => {
    throw new StartError(
      `The database at ${placeOf(address)} cannot be reached (${reasonOf(cause)}): check DATABASE_URL, or leave it out to use the embedded one.`,
      { cause },
    )
  })
  if (facts.version < SERVER_VERSION_MIN) {
    throw new StartError(
      `The database at ${placeOf(address)} is older than PostgreSQL 15, which is the oldest that is supported.`,
    )
  }
  if (!facts.limited) {
    throw new StartError(
      `The database at ${placeOf(address)} does not get the limits of time that its connections give, as behind a pooler such as PgBouncer: locks and news between processes would fail silently there. Let DATABASE_URL name the server itself, without limits of its own.`,
    )
  }
  return facts
}

async function readFacts(client: pg.Client): Promise<Facts> {
  const { rows } = await client.query<Facts>(
    `select current_setting('server_version_num')::integer as version, rolname as login,
       current_setting('lock_timeout') = $2 as limited,
       rolsuper or rolcreaterole as "makesRoles",
       rolsuper or rolcreaterole or rolreplication or rolbypassrls as powerful,
       exists (select from pg_database where datname = current_database() and pg_has_role(datdba, 'member'))
         or exists (select from pg_class where relname = 'migration' and pg_has_role(relowner, 'member')
           and relnamespace = 'public'::regnamespace) as owns,
       array(select part from unnest($1::text[]) part join pg_roles group_role on group_role.rolname = 'sum28_' || part
         where pg_has_role(group_role.oid, 'member')) as parts,
       array(select part from unnest($1::text[]) part where to_regrole('sum28_' || part) is not null) as made
     from pg_roles where rolname = current_user`,
    [PARTS, LIMIT.named],
  )
  if (!rows[0]) throw new Error('the database does not name its role')
  return rows[0]
}

function placeOf(address: string): string {
  const { host, pathname } = new URL(address)
  return `${host}${pathname}`
}

function reasonOf(cause: unknown): string {
  const { code, message } = cause as { code?: string; message?: string }
  if (cause instanceof AggregateError) return reasonOf(cause.errors[0])
  return [code, message].filter(Boolean).join(': ')
}
