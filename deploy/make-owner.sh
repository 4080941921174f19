#!/bin/sh
# PostgreSQL's image runs it when it makes its files: the product's owner is no superuser.
set -eu
psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" <<SQL
create role sum28_owner login createrole password '$OWNER_PASSWORD';
create database sum28 owner sum28_owner;
SQL
