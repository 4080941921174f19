/** Patroni's settings for one node. It reads YAML; JSON is a part of YAML. */

export type NodeSettings = {
  name: string
  dataDir: string
  socketDir: string
  binDir: string
  /** The ports of PostgreSQL and of Patroni's REST API. */
  port: number
  restPort: number
  /** The address under which the other nodes reach both. */
  portForOthers: number
  restPortForOthers: number
  etcdPorts: readonly number[]
  password: string
}

/** After how many seconds without a sign of life a leader loses the lead; the longest part of a failover. */
const LEAD_SECONDS = 12

export function patroniSettings(node: NodeSettings): string {
  const { password, socketDir } = node
  const here = (port: number) => `127.0.0.1:${port}`
  return JSON.stringify({
    scope: 'sum28',
    name: node.name,
    restapi: {
      listen: here(node.restPort),
      connect_address: here(node.restPortForOthers),
    },
    // Through etcd's older interface: through the newer one, Patroni 3.0.2 writes the leader's key without checking
    // its owner, and a node that continues after a freeze takes the lead back from its successor. As proxies:
    // otherwise Patroni asks etcd for its own addresses, and no path could be cut.
    etcd: { hosts: node.etcdPorts.map(here), use_proxies: true },
    bootstrap: {
      dcs: {
        ttl: LEAD_SECONDS,
        loop_wait: 2,
        retry_timeout: 4,
        // Nothing waits for a crashed primary: another node takes over.
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
      pg_hba: [
        'local all all scram-sha-256',
        'host all all 127.0.0.1/32 scram-sha-256',
        'host replication replicator 127.0.0.1/32 scram-sha-256',
      ],
    },
    watchdog: { mode: 'off' },
  })
}
