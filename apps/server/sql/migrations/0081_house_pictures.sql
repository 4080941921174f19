-- The pictures that editors upload: they stay, for banners and articles name them by their path.

create table accounts.house_picture (
  name text primary key check (name ~ '^[0-9a-f]{32}\.webp$'),
  created_at timestamptz not null default app.now()
);
comment on table accounts.house_picture is 'The files of pictures that editors uploaded; they are not swept away.';
