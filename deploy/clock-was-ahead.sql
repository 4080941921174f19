-- Once the clock of the database is right again that was ahead by hours: what was dated by it would keep players out for as
-- long. As PostgreSQL's superuser or the owner: psql sum28 -f clock-was-ahead.sql
update accounts.player set sensitive_changed_at = app.now() where sensitive_changed_at > app.now();
update accounts.security_code set locked_until = null where locked_until > app.now() + interval '24 hours';
-- Sums of a day, week or month that has not come would not begin anew before it.
update protection.player set starts = protection.starts_at(app.now())
where starts[1] > (protection.starts_at(app.now()))[1];
update protection.house set keeps_deposits_until = app.now() + hold from withdrawals.terms
where keeps_deposits_until > app.now() + hold;
