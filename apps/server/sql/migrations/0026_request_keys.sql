-- Idempotency keys of requests that are no player's: of staff, and of calls that need no session.
-- What players' keys came to stands in wallet.idempotency_key.

create table app.request_key (
  -- `staff:` and a member's id; or `stranger:` and a keyed hash of the account that the call names.
  owner text not null,
  key text not null check (length(key) between 1 and 255),
  route text not null,
  input_hash bytea not null,
  -- Null while the request is carried out.
  result jsonb,
  created_at timestamptz not null default app.now(),
  primary key (owner, key)
);
create index request_key_by_age on app.request_key (created_at);
