-- Who may decide what waits.

-- Whether a member of staff may confirm a proposal, or give its payment back or release it, as with a withdrawal: false if
-- it waits for another person, null if for nobody, such as a void of a round that has ended, or a refund on hold.
-- A refund to a wallet that is not its player's any more waits for a person, who refuses it: that does not end alone.
create or replace function console_money.waits_for(proposal staff.proposal, member integer) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp
return case
  when proposal.state <> 'proposed' then null
  when proposal.kind = 'void' and not exists (select from rounds.round
    where game_id = split_part(proposal.subject, ':', 2)::smallint
      and issue = split_part(proposal.subject, ':', 3)::bigint
      and round.state in ('open', 'sealed') and draws_at > app.now()) then null
  when proposal.kind = 'refund' and staff.taker_of(proposal.subject) is null
    and console_money.obstacle_of_refund(proposal) <> 'not_his_wallet' then null
  when not exists (select from staff.member acting join staff.proposal_kind rules on rules.kind = proposal.kind
      where acting.id = member and acting.role = any (rules.confirmed_by)
        and (proposal.kind not in ('bonus', 'credit', 'debit') or proposal.content ? 'deposit' or (proposal.content ->> 'amount')::bigint
          <= console_money.adjustment_left(proposal.player_id, proposal.id, acting.role, proposal.kind)))
  then false
  when proposal.kind = 'refund' and staff.taker_of(proposal.subject) is not null
  then coalesce(member = staff.payer_of(proposal.subject), true)
  when proposal.kind = 'refund' and staff.is_denied(proposal.subject)
  then not staff.has_denied(proposal.subject, member)
  when proposal.kind = 'reversal' and withdrawals.had_payment(app.number_in(substr(proposal.subject, 12)), member)
  then false
  else member is distinct from proposal.proposed_by and member is distinct from proposal.first_confirmed_by
  end;

grant execute on function console_money.waits_for to sum28_api, sum28_jobs;
