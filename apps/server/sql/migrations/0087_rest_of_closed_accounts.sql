-- A player who closes his account may have the rest of his balance paid out, however small: the function of
-- before, which had no such choice, is taken away, so that nothing closes an account past the new one.
drop function if exists own_account.close_account(integer, bigint);
