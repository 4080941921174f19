-- A schema for what each area of the operator's console adds: its own tables and functions.

create schema console_start;
create schema console_players;
create schema console_money;
create schema console_games;
create schema console_content;
create schema console_reports;
