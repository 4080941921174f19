-- Makes a database its own Citus, with coordinator and shards on one server: to try distribute.sql, and for
-- tests (TEST_DATABASE_SQL). Of several servers docs/scaling.md says what to do.

-- The product takes from everybody the right to call functions that its owner makes. Citus' own have to be
-- called by the application, whose statements Citus reads: so they are made under the usual rule.
alter default privileges grant execute on functions to public;
create extension if not exists citus;
alter default privileges revoke execute on functions from public;

select citus_set_coordinator_host('127.0.0.1', current_setting('port')::integer);
select citus_set_node_property('127.0.0.1', current_setting('port')::integer, 'shouldhaveshards', true);
