-- What makes references of banks and of payouts one and the same: compatible forms folded (NFKC), no
-- blanks, upper case, and printable ASCII alone. Of those that stand, whatever looks like a letter of
-- ASCII is read as that letter, and the rest that is none falls away; where two were taken for
-- different and are one, the later keeps no key, and the audit log names both for staff to look at.

alter table deposits.bank_deposit drop column reference_key;
alter table deposits.bank_deposit add column reference_key text;
alter table withdrawals.withdrawal add column payout_key text;
drop index withdrawals.payout_reference_once;

alter table deposits.bank_deposit disable trigger user;
alter table withdrawals.withdrawal disable trigger user;

create function pg_temp.key_of_old(reference text) returns text
language sql immutable
return upper(regexp_replace(
  translate(normalize(reference, nfkc),
    'АаВвЕеКкМмНнОоРрСсТтУуХхІіЈјЅѕΑΒΕΖΗΙΚΜΝΟΡΤΥΧ',
    'AABBEEKKMMHHOOPPCCTTYYXXIIJJSSABEZHIKMNOPTYX'),
  '[^\x21-\x7e]', '', 'g'));

update deposits.bank_deposit set reference_key = pg_temp.key_of_old(bank_reference);
update withdrawals.withdrawal set payout_key = pg_temp.key_of_old(payout_reference)
where payout_reference is not null;

do $$
declare
  same record;
begin
  for same in
    select id, first_value(id) over (partition by reference_key order by id) as first_id, bank_reference
    from deposits.bank_deposit where state <> 'refused'
  loop
    continue when same.id = same.first_id;
    update deposits.bank_deposit set reference_key = null where id = same.id;
    perform staff.append_audit(null, 'bank_references_collide', 'bank_deposit:' || same.id,
      jsonb_build_object('same_as', same.first_id, 'reference', same.bank_reference));
    raise warning 'bank deposits % and % have one reference', same.first_id, same.id;
  end loop;
  for same in
    select id, first_value(id) over (partition by payout_key order by id) as first_id, payout_reference
    from withdrawals.withdrawal where payout_key is not null
  loop
    continue when same.id = same.first_id;
    update withdrawals.withdrawal set payout_key = null where id = same.id;
    perform staff.append_audit(null, 'payout_references_collide', 'withdrawal:' || same.id,
      jsonb_build_object('same_as', same.first_id, 'reference', same.payout_reference));
    raise warning 'payouts of withdrawals % and % have one reference', same.first_id, same.id;
  end loop;
end
$$;

alter table deposits.bank_deposit enable trigger user;
alter table withdrawals.withdrawal enable trigger user;

create unique index bank_reference_once on deposits.bank_deposit (reference_key) where state <> 'refused';
create unique index payout_reference_once on withdrawals.withdrawal (payout_key);

-- Who approves does not record the payout. What was recorded before stands.
alter table withdrawals.withdrawal add constraint paid_by_another check (
  payout_recorded_by is null
  or (payout_recorded_by is distinct from approved_by and payout_recorded_by is distinct from first_approved_by)
) not valid;
-- What a player was approved within a day, for what takes two people.
create index withdrawal_approved_by_time on withdrawals.withdrawal (player_id, decided_at)
  where state = 'approved';
