import type { Queryable } from '#src/db/database.ts'

/**
 * What a database's schemas are made of, a line for each column, constraint, index, trigger, function,
 * view and grant of ours, sorted. Partitions are left out: there are as many as months were made.
 */
export async function schemaLines(owner: Queryable): Promise<string[]> {
  const rows = await owner.query<{ line: string }>(LINES)
  return rows.map(({ line }) => line)
}

const LINES = `
  with ours as (
    select oid, nspname from pg_namespace
    where nspname !~ '^(pg_|information_schema|graphile_worker|public)'
  ),
  relation as (
    select pg_class.oid, relkind, relacl, nspname || '.' || relname as name
    from pg_class join ours on ours.oid = relnamespace
    where not relispartition
  )
  select line from (
    select 'column ' || name || ' ' || attnum || ' ' || attname || ' ' || format_type(atttypid, atttypmod)
      || ' default ' || coalesce(pg_get_expr(adbin, adrelid), 'none')
      || ' grants ' || coalesce(attacl::text, 'none') || ' ' || attidentity::text || attgenerated::text
    from pg_attribute join relation on relation.oid = attrelid
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attnum > 0 and not attisdropped
    union all
    select 'constraint ' || name || ' ' || conname || ' ' || pg_get_constraintdef(pg_constraint.oid)
    from pg_constraint join relation on relation.oid = conrelid
    union all
    select 'index ' || pg_get_indexdef(indexrelid)
    from pg_index join relation on relation.oid = indrelid
    union all
    select 'trigger ' || pg_get_triggerdef(pg_trigger.oid)
    from pg_trigger join relation on relation.oid = tgrelid where not tgisinternal
    union all
    select 'function ' || pg_get_functiondef(pg_proc.oid) || ' grants ' || coalesce(
      (select string_agg(grantee, ', ' order by grantee) from (
        select acl.grantee::regrole || ' ' || acl.privilege_type as grantee from aclexplode(proacl) acl
        where acl.grantee = 'sum28_application'::regrole or acl.grantee = 0) granted), 'none')
    from pg_proc join ours on ours.oid = pronamespace
    union all
    select 'view ' || name || ' ' || pg_get_viewdef(oid) from relation where relkind = 'v'
    union all
    select 'grants on ' || name || ' ' || coalesce(
      (select string_agg(privilege_type, ', ' order by privilege_type) from aclexplode(relacl) acl
       where acl.grantee = 'sum28_application'::regrole), 'none')
    from relation where relkind in ('r', 'p', 'v', 'S')
  ) described (line)
  order by line collate "C"`
