-- A remembered device's secrets are traded one for the next: all that follow from one sign-in are a
-- family, and so are the sessions that they began.

alter table accounts.remembered_device add column family uuid not null default gen_random_uuid();
create index remembered_device_of_family on accounts.remembered_device (family);

alter table accounts.session
  add column device_family uuid,
  drop constraint session_ended_by_check,
  add constraint session_ended_by_check
    check (ended_by in ('logout', 'password', 'frozen', 'replayed'));
create index session_of_family on accounts.session (device_family)
  where device_family is not null and ended_at is null;
