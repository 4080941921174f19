/** What the template contains, and how a used clone gets back to it: far cheaper than another clone. */
import pg from 'pg'
import { OWN_CONNECTION } from './cloned-database.ts'

/** The contents of a clone that nobody has used. */
export type FirstContents = {
  /** The newest transaction that the clone was made from. */
  transaction: string
  /** Names the tables whose rows are not the first ones. */
  usedTables: string
  /** By the name of a table that is not empty: its columns and its rows as JSON. */
  rows: Map<string, { columns: string; rows: string }>
  /** Statements that set each sequence back. */
  sequences: string
}

/** Reads what a fresh clone contains. */
export async function readFirstContents(owner: pg.Client): Promise<FirstContents> {
  const transaction = await onlyValue<string>(owner, 'select pg_current_xact_id()::xid::text')
  const tables = await owner.query<{ name: string; columns: string }>(`
    select format('%I.%I', nspname, relname) as name,
      (select string_agg(quote_ident(attname), ', ') from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind = 'r' and nspname not like 'pg\\_%' and nspname <> 'information_schema'
    order by 1`)
  const rows: FirstContents['rows'] = new Map()
  const questions = []
  for (const { name, columns } of tables.rows) {
    const count = await onlyValue<string>(owner, `select count(*) from ${name}`)
    if (count === '0') {
      questions.push(`select '${name}' as name where exists (select from ${name})`)
      continue
    }
    const content = await onlyValue<string>(
      owner,
      `select json_agg(content)::text from ${name} content`,
    )
    rows.set(name, { columns, rows: content })
    questions.push(`select '${name}' where (select count(*) from ${name}) <> ${count}
      or exists (select from ${name} where ${isNewer(transaction)})`)
  }
  const sequences = await onlyValue<string>(
    owner,
    `select string_agg(format('select setval(%L, %s, %L)', format('%I.%I', schemaname, sequencename),
      coalesce(last_value, start_value), last_value is not null), ';') from pg_sequences`,
  )
  return { transaction, usedTables: questions.join('\nunion all '), rows, sequences }
}

/**
 * Gives a clone its first contents back.
 *
 * @param restorer a connection that `connectRestorer` opened
 * @returns false if the clone cannot be used again: its tables or functions were changed, or somebody still uses it
 */
export async function restoreContents(restorer: pg.Client, first: FirstContents): Promise<boolean> {
  const thisDatabase = `(select oid from pg_database where datname = current_database())`
  const changed = [
    ...CATALOGUES.map((name) => `select from ${name} where ${isNewer(first.transaction)}`),
    `select from pg_locks where locktype = 'advisory' and database = ${thisDatabase}`,
    `select from pg_db_role_setting where setdatabase = ${thisDatabase}`,
    `select from pg_roles where starts_with(rolname, current_database())`,
    `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
      and (state <> 'idle' or application_name <> '${OWN_CONNECTION}')`,
  ].map((rows) => `exists (${rows})`)
  if (await onlyValue<boolean>(restorer, `select ${changed.join(' or ')}`, 'changed')) return false
  const used = await restorer.query<{ name: string }>({ name: 'used', text: first.usedTables })
  await restorer.query('begin')
  for (const { name } of used.rows) {
    await restorer.query(`delete from ${name}`)
    const content = first.rows.get(name)
    if (!content) continue
    await restorer.query(
      `insert into ${name} (${content.columns}) overriding system value
        select ${content.columns} from json_populate_recordset(null::${name}, $1)`,
      [content.rows],
    )
  }
  await restorer.query(`${first.sequences}; commit`)
  return true
}

/** Opens an owner's connection for restoring. Neither triggers nor references act: what is put back was there before. */
export async function connectRestorer(address: string): Promise<pg.Client> {
  const restorer = new pg.Client(address)
  // A test may end all connections: the next statement then fails, and the clone is dropped.
  restorer.on('error', () => {})
  await restorer.connect()
  await restorer.query('set session_replication_role = replica')
  return restorer
}

/** @param name prepares the statement under this name */
async function onlyValue<Value>(client: pg.Client, text: string, name?: string): Promise<Value> {
  const { rows } = await client.query<Record<string, Value>>({ text, ...(name ? { name } : {}) })
  return Object.values(rows[0] as Record<string, Value>)[0] as Value
}

/** Where a changed table, function, right or rule leaves a row. */
const CATALOGUES = [
  'pg_class',
  'pg_attribute',
  'pg_attrdef',
  'pg_proc',
  'pg_trigger',
  'pg_constraint',
  'pg_namespace',
  'pg_type',
  'pg_rewrite',
  'pg_default_acl',
]

/** A row that a later transaction has written. (The ages of frozen rows are greater than all others.) */
function isNewer(transaction: string): string {
  return `age(xmin) < age('${transaction}'::xid)`
}
