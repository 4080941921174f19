/** How much time a run gives, and what Patroni is told about one node. It reads YAML, of which JSON is a part. */

/** How much time a run gives to rounds and to take-overs. */
export type Pace = {
  /** Seconds of a round, of its seal, and until its draw is late after its end. */
  round: { seconds: number; sealSeconds: number; deadlineSeconds: number }
  /** How long a PostgreSQL leader that says nothing keeps the lead: the longest part of a take-over. */
  leadSeconds: number
  /** How often Patroni looks, and how long it tries again; twice the latter and once the former are within the lead. */
  lookSeconds: number
  retrySeconds: number
  /** How long HAProxy waits for a node's answer to its question whether it leads. */
  checkSeconds: number
}

/** The seal is that of production, and the deadline production's least. */
export const AS_IN_PRODUCTION: Pace = {
  round: { seconds: 60, sealSeconds: 30, deadlineSeconds: 60 },
  leadSeconds: 12,
  lookSeconds: 2,
  retrySeconds: 4,
  checkSeconds: 2,
}

/** For a machine of half the speed, which has other work besides: what it shows is true at any speed. */
export const PATIENT: Pace = {
  round: { seconds: 90, sealSeconds: 45, deadlineSeconds: 600 },
  leadSeconds: 15,
  lookSeconds: 3,
  retrySeconds: 6,
  checkSeconds: 8,
}

export type NodeSettings = {
  name: string
  dataDir: string
  socketDir: string
  binDir: string
  /** Where PostgreSQL and Patroni's REST listen. */
  port: number
  restPort: number
  /** Where the other nodes reach both, and this one etcd. */
  portForOthers: number
  restPortForOthers: number
  etcdPorts: readonly number[]
  password: string
  pace: Pace
}

export function patroniSettings(node: NodeSettings): string {
  const { password, socketDir, pace } = node
  const here = (port: number) => `127.0.0.1:${port}`
  return JSON.stringify({
    scope: 'sum28',
    name: node.name,
    restapi: {
      listen: here(node.restPort),
      connect_address: here(node.restPortForOthers),
    },
    // By etcd's older interface: by the newer one, Patroni 3.0.2 writes the leader's key without looking
    // whose it is, and a node that wakes up takes the lead back from the one that has taken over. As proxies:
    // else Patroni asks etcd for its own addresses, and no path could be cut.
    etcd: { hosts: node.etcdPorts.map(here), use_proxies: true },
    bootstrap: {
      dcs: {
        ttl: pace.leadSeconds,
        loop_wait: pace.lookSeconds,
        retry_timeout: pace.retrySeconds,
        // A primary that has crashed is not waited for: another takes over.
        primary_start_timeout: 0,
        synchronous_mode: true,
        // Without a synchronous replica nothing is committed.
        synchronous_mode_strict: true,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: {
            max_connections: 300,
            shared_buffers: '64MB',
            max_wal_size: '128MB',
            wal_keep_size: '64MB',
            wal_level: 'replica',
            wal_log_hints: 'on',
            hot_standby: 'on',
            max_wal_senders: 10,
            max_replication_slots: 10,
            // Otherwise it would restart by itself, and show commits that no replica has.
            restart_after_crash: 'off',
            // A replica that does not answer is given up soon.
            wal_sender_timeout: '6s',
            wal_receiver_timeout: '6s',
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      listen: here(node.port),
      connect_address: here(node.portForOthers),
      data_dir: node.dataDir,
      bin_dir: node.binDir,
      pgpass: `${socketDir}/pgpass-${node.name}`,
      authentication: {
        superuser: { username: 'postgres', password },
        replication: { username: 'replicator', password },
        rewind: { username: 'rewinder', password },
      },
      parameters: { unix_socket_directories: socketDir },
      // A node that cannot be rewound is copied anew, as the runbook tells an operator to do.
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
      pg_hba: [
        'local all all scram-sha-256',
        'host all all 127.0.0.1/32 scram-sha-256',
        'host replication replicator 127.0.0.1/32 scram-sha-256',
      ],
    },
    watchdog: { mode: 'off' },
  })
}
