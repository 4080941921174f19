-- The forms that did not know whether a member has enrolled.

drop function if exists staff.make_member(text, text, text, bytea, text, text);
drop function if exists staff.reset_member(text, text, text, bytea, text, text);
