-- What each table holds, for readers of ../schema.sql and of the database itself. A new table brings its
-- comment in its own migration. Amounts are micro-units: 1 u = 1,000,000.

comment on table app.books_checked is 'One row: up to when the daily check found the books right.';
comment on table app.monthly_table is 'Tables that have a partition for each month of booked_on.';
comment on table app.request_key is 'Idempotency keys of staff and of calls without a session, with the stored reply.';
comment on table app.sent_mail is 'Mails that the mail server has taken: a job that is repeated does not send them again.';

comment on column ledger.posting.booked_on is 'The day that the posting counts for: a bet''s game day, else the day in the operator''s time zone.';
comment on column ledger.posting.amount is 'Micro-units.';
comment on column ledger.posting.reference is 'What caused it: one posting of a kind for each cause.';
comment on type ledger.posting_request is 'What ledger.post is asked to post.';

comment on table accounts.player is 'An account, of a person or of a robot.';
comment on column accounts.player.group_id is '1 member: proved an e-mail address. 2 visitor.';
comment on column accounts.player.sensitive_changed_at is 'When the player last changed what a thief would change; withdrawals are held for a while after it.';
comment on table accounts.session is 'A player''s session, by the hash of its token.';
comment on table accounts.remembered_device is 'A device that signs in without a password, by the hash of its secret.';
comment on table accounts.email_code is 'Codes that were mailed, as hashes.';
comment on table accounts.security_code is 'The code that a withdrawal needs, as a hash, with the wrong tries since the last right one.';
comment on table accounts.document is 'The number of an identity document, encrypted.';
comment on table accounts.uploaded_picture is 'Pictures that players uploaded: the file''s name, and whose it is.';
comment on table accounts.counter is 'How often something was done that is limited, by a keyed hash.';
comment on table accounts.known_network is 'Networks from which a player has signed in.';
comment on table accounts.freezing is 'When, why and by whom an account was frozen, and how that ended.';

comment on table staff.member is 'The operator''s people.';
comment on table staff.session is 'Sessions of staff, by the hash of the token.';
comment on table staff.sign_in_tries is 'How often a name was tried from a network; names as hashes.';
comment on table staff.audit is 'The log of what staff do. Rows are added and never changed; each hash covers the row before it.';
comment on table staff.audit_head is 'One row: the last row of the log, so that a missing end is noticed.';
comment on table staff.audit_seal is 'A keyed hash of a row of the log, made with a key that is not in the database.';

comment on table inbox.message is 'Messages to players inside the app, without their text: it is made when it is read.';

comment on table wallet.idempotency_key is 'Keys of players'' requests that act once, with what the reply is made from.';
comment on type wallet.movement is 'An amount of a player''s money to be moved, the day that it counts for, and what caused it.';

comment on table games.house is 'One row: what holds for all games.';
comment on column games.house.payout_max is 'The most that all bets of a player in one round may pay together, in micro-units.';
comment on column games.house.clocks_apart_since is 'Since when the clocks of database and beacon disagree, which stops all betting; null while they agree.';
comment on table games.game is 'The four games.';
comment on table games.room is 'A table of a game with its limits, in micro-units.';
comment on column games.room.type is '0 basic, 1 senior, 2 master, 3 expert.';
comment on column games.room.rules_version is 'Counts the changes of the room''s odds and limits; stored in each bet.';
comment on table games.rule is 'The 36 outcomes, and how many of the 1,000 draws hit each.';
comment on table games.odds is 'Decimal odds of a room in thousandths.';
comment on table games.stop is 'Why something is stopped, by whom and since when; a row while it is.';

comment on table fairness.chain is 'Seed chains: committed before their first round, one seed for each round.';

comment on table rounds.round is 'A betting period of a game: open, sealed, drawn, settled; or voided.';
comment on column rounds.round.issue is 'The game day''s date and the number within it: 20261120001.';
comment on column rounds.round.book_root is 'The root of the tree over the accepted bets, closed before the beacon''s value exists.';
comment on column rounds.round.voids_at is 'From when it may be voided because the beacon''s value has not come; announced with the round.';
comment on table rounds.draw is 'The draw of a round, with what it follows from. Rows never change.';
comment on table rounds.value is 'The beacon''s value of a round, from the moment that it is known here. Rows never change.';
comment on table rounds.voided_seed is 'The seed of a voided round, once it is published. Rows never change.';
comment on table rounds.void_proposal is 'A void that one member of staff proposes and another confirms, before the result can be known.';

comment on table bets.bet is 'Accepted bets. What was accepted never changes; a bet is settled or refunded once.';
comment on column bets.bet.odds_milli is 'The odds of each rule when the bet was accepted, in thousandths.';
comment on column bets.bet.stake is 'Micro-units, on each rule.';
comment on column bets.bet.cash_after is 'The player''s cash after the stake was taken, in micro-units.';
comment on column bets.bet.nonce is 'Known to the player alone: nobody else can guess his bet''s leaf in the closed book.';
comment on column bets.bet.could_pay is 'What the player''s bets of the round up to this one would pay if every selection hit.';
comment on table bets.player_day is 'What a player staked and was paid in bets settled on a calendar day.';
comment on table bets.player_total is 'What a player staked and was paid in all settled bets.';
comment on type bets.order_slip is 'An order on its way through the steps of bets.place.';

comment on table robots.robot is 'In which room and place each robot sits.';
comment on table robots.house is 'One row: whether the demo''s robots were seated.';

comment on table deposits.address is 'The chain address of each member.';
comment on table deposits.spare_address is 'Addresses of ours that belonged to no member when they were noted.';
comment on table deposits.watcher_place is 'The last block that the deposit watcher has finished.';
comment on table deposits.rescan_place is 'The last block that the daily comparison has finished.';
comment on table deposits.transfer is 'Transfers that arrived at an address of ours. player_id is null while one is unmatched.';
comment on table deposits.assignment is 'What staff decided on an unmatched transfer: whose it is, by two persons, or that it is dismissed.';
comment on table deposits.chain_difference is 'What the daily comparison of chain and ledger found.';
comment on table deposits.bank_account is 'At most one row: the operator''s account that players are shown.';
comment on table deposits.bank_deposit is 'Deposits that one member of staff recorded from the bank''s statement and another confirms.';

comment on table withdrawals.pay_method is 'Bank cards and wallets of players; numbers are encrypted.';
comment on table withdrawals.withdrawal is 'Requests: the amount is held at once, and then paid out or returned.';
comment on table withdrawals.terms is 'One row: how long a hold lasts, and from which amount two persons approve. The owner writes it at each start.';

comment on table content.banner is 'Pictures of the start screen.';
comment on table content.text is 'Texts by key and language.';
comment on table content.category is 'Categories of articles.';
comment on table content.category_name is 'The names of categories in each language.';
comment on table content.article is 'Articles; published_at is null while one is a draft.';
comment on table content.article_text is 'The title and the safe HTML of articles in each language.';
comment on table content.announcement is 'Announcements; published_at is null while one is a draft.';
comment on table content.announcement_text is 'The title and the safe HTML of announcements in each language.';
comment on table content.announcement_reader is 'Up to when a player has read the announcements.';
comment on table content.about is 'The page about the operator in each language.';
comment on table content.promo is 'Promotions.';
comment on table content.promo_title is 'The titles of promotions in each language.';
