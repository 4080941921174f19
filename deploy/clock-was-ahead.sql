-- Once the clock of the database is right again that was ahead by hours: what was dated by it would keep players out for as
-- long, or their deposits from them. docs/runbooks.md has the command.
update accounts.player set sensitive_changed_at = app.now() where sensitive_changed_at > app.now();
update accounts.security_code set locked_until = null where locked_until > app.now() + interval '24 hours';
-- Sums of a day, week or month that has not come would not begin anew before it.
update protection.player set starts = protection.starts_at(app.now())
where starts[1] > (protection.starts_at(app.now()))[1];
-- A break lasts as long as its player chose, from now on.
update protection.exclusion set began_at = app.now(), ends_at = app.now() + (ends_at - began_at)
where began_at > app.now() and ends_at is not null;
update protection.player set excluded_until = (
  select max(protection.goes_on_until(exclusion)) from protection.exclusion where exclusion.player_id = player.player_id)
where excluded_until > app.now() and excluded_until < 'infinity';
-- Deposits of before remain with staff.
update deposits.address set given_at = app.now() where given_at > app.now();
update protection.house set keeps_deposits_until = app.now() + hold from withdrawals.terms
where keeps_deposits_until > app.now() + hold;
