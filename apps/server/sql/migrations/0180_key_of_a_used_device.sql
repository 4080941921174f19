-- A client that got no answer sends the call again with the same key: it may use its device's secret again.
alter table accounts.remembered_device add column used_key bytea;
comment on column accounts.remembered_device.used_key is
  'The hash of the idempotency key of the call that used the secret: the same call may come again.';
