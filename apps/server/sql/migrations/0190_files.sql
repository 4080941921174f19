-- Pictures are in the database: backed up, replicated and deleted with everything else. They are compressed already.
alter table accounts.uploaded_picture add column content bytea not null default '';
alter table accounts.uploaded_picture alter column content set storage external;
alter table accounts.house_picture add column content bytea not null default '';
alter table accounts.house_picture alter column content set storage external;
comment on table accounts.uploaded_picture is
  'Pictures that players uploaded. The name is a hash of player and content, so that its content never changes.';
comment on table accounts.house_picture is
  'Pictures that editors uploaded, for banners, articles and other texts. The name is a hash of the content.';
