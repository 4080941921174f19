/** Starts the servers that the product is compared with. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { withClient } from '@sum28/server/src/db/with-client.ts'
import type pg from 'pg'

const SERVER = fileURLToPath(new URL('./baseline-server.ts', import.meta.url))

export type Baseline = { port: number; pid: number; stop(): Promise<void> }

/** The bare framework, which answers every request with the same text. */
export async function startConstant(body: string): Promise<Baseline> {
  const { baseline } = await start(['constant', body])
  return baseline
}

export type BareStreams = Baseline & {
  /** Writes an event to all. @returns when it began, in milliseconds since 1970 */
  send(event: string): Promise<number>
}

/** A server of Node's own that keeps every request open, as an event stream. */
export async function startBareStreams(): Promise<BareStreams> {
  const { baseline, child } = await start(['streams'])
  return {
    ...baseline,
    async send(event) {
      const began = once(child, 'message') as Promise<[number]>
      child.send(event)
      return (await began)[0]
    },
  }
}

/** The honest peer: one transaction an order, in a database of its own on the product's server. */
export async function startPeer(ownerUrl: string, players: readonly number[]): Promise<Baseline> {
  const url = new URL(ownerUrl)
  url.pathname = '/peer'
  await withClient(ownerUrl, (admin) => admin.query('create database peer'))
  await withClient(url.href, (client) => fillPeer(client, players))
  const { baseline } = await start(['peer', url.href])
  return baseline
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

async function start(args: string[]) {
  const child = fork(SERVER, args, { execArgv: ['--disable-warning=ExperimentalWarning'] })
  const ended = once(child, 'exit')
  const [port] = (await Promise.race([
    once(child, 'message'),
    ended.then((): never => {
      throw new Error(`the baseline ${args[0]} ended`)
    }),
  ])) as [number]
  const baseline: Baseline = {
    port,
    pid: child.pid ?? 0,
    async stop() {
      child.disconnect()
      await ended
    },
  }
  return { baseline, child }
}
