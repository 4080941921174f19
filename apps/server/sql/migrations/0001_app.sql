-- The role that the application works under, and what every schema leans on.
--
-- The owner role runs these migrations and owns everything. The application's login role is a
-- member of sum28_application, which is granted only what the product needs: money, draws and the
-- journal are reached through functions that belong to the owner. Functions, triggers, views and
-- grants stand in ../functions.

do $$
begin
  create role sum28_application nologin;
exception when duplicate_object or unique_violation then
  null; -- roles belong to the whole cluster: another database has made it
end
$$;

-- Tables that are split by month, each on its column booked_on.
create table app.monthly_table (
  name regclass primary key
);

-- Mails that the mail server took: a job that is begun again finds its mail here and sends none.
create table app.sent_mail (
  mail_id text primary key,
  sent_at timestamptz not null default app.now()
);
create index sent_mail_by_age on app.sent_mail (sent_at);
