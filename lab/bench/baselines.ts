/** Starts the servers that the product is compared with. */
import { withClient } from '@sum28/server/src/db/with-client.ts'
import type pg from 'pg'
import { startChild } from '../child.ts'

export type Baseline = Awaited<ReturnType<typeof start>>

/** The bare framework, which answers every request with the same text. */
export function startConstant(body: string): Promise<Baseline> {
  return start(['constant', body])
}

export type BareStreams = Awaited<ReturnType<typeof startBareStreams>>

/** A server of Node's own that keeps every request open, as an event stream. */
export async function startBareStreams() {
  const server = await start(['streams'])
  return {
    ...server,
    /** Writes an event to all. @returns when it began, in milliseconds since 1970 */
    send: (event: string) => server.ask<number>(event),
  }
}

/** The honest peer: one transaction an order, in a database of its own on the product's server. */
export async function startPeer(ownerUrl: string, players: readonly number[]): Promise<Baseline> {
  const url = new URL(ownerUrl)
  url.pathname = '/peer'
  await withClient(ownerUrl, (admin) => admin.query('create database peer'))
  await withClient(url.href, (client) => fillPeer(client, players))
  return start(['peer', url.href])
}

async function fillPeer(client: pg.Client, players: readonly number[]): Promise<void> {
  await client.query(`
    create table balance (holder_id integer primary key, cash bigint not null check (cash >= 0));
    create table bet (id bigint generated always as identity primary key,
      player_id integer not null references balance, game_id smallint not null, issue bigint not null,
      room_id integer not null, rules text not null, total bigint not null, cash_after bigint not null,
      accepted_at timestamptz not null default clock_timestamp());
    create index bet_of_round on bet (game_id, issue, id);
    create table posting (id bigint generated always as identity primary key,
      holder_id integer not null references balance, kind text not null, amount bigint not null,
      cash_after bigint not null, reference text not null,
      posted_at timestamptz not null default clock_timestamp(), unique (holder_id, kind, reference))`)
  await client.query(
    `insert into balance select id, 1000000000000000 from unnest($1::integer[]) id`,
    [players],
  )
}

async function start(args: readonly string[]) {
  const child = startChild(new URL('baseline-server.ts', import.meta.url), args)
  return { ...child, port: await child.answer<number>() }
}
