-- Pictures of the house that nothing shows any more are swept away after a while.
alter table accounts.house_picture add column unused_since timestamptz;
comment on table accounts.house_picture is
  'The files of pictures that editors uploaded, for banners, articles and other texts.';
comment on column accounts.house_picture.unused_since is
  'When it was first found that nothing names it; null: something does, or nobody has looked yet.';
