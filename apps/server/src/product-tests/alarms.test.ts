/**
 * Goal: each alarm of `deploy/alarms.yaml` sounds when it must, and is silent when it must be; it and the dashboard read
 * metrics that the product shows, and it refers to a section of the runbooks.
 * Method: promtool (Debian's package prometheus) runs the rules on series of values, one a minute.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FAULTS } from '@sum28/contract/staff-start-routes.ts'
import { describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { temporaryFolder } from '#testing/hosts/own-machine.ts'
import { useWorkersApp } from '#testing/product/test-app.ts'
import { eventually } from '#testing/requests/patience.ts'

const DEPLOY = new URL('../../../../deploy/', import.meta.url)
const ALARMS = new URL('alarms.yaml', DEPLOY)
const DASHBOARD = new URL('dashboard.json', DEPLOY)
const RUNBOOKS = new URL('../docs/runbooks.md', DEPLOY)

type Rule = { alert: string; expr: string; annotations: { runbook: string; summary: string } }
const { groups } = parse(readFileSync(ALARMS, 'utf8')) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)

/** Values of a series, in Prometheus' short form: `0x9` is ten zeros, `0+3x9` grows by three, `_` is no value. */
type Series = Record<string, string>

/** The services of three databases. */
function databases(...values: readonly string[]): Series {
  return Object.fromEntries(
    values.map((value, index) => [
      `node_systemd_unit_state{name="patroni.service",state="active",instance="safe-${index + 1}"}`,
      value,
    ]),
  )
}

/** The cases of an alarm that looks at one series. */
function ofOne(series: string, values: { sounds: string[]; silent: string[] }) {
  const each = (all: string[]): Series[] => all.map((one) => ({ [series]: one }))
  return { sounds: each(values.sounds), silent: each(values.silent) }
}

/** For each alarm the series at whose end it sounds, and those at whose end it does not. */
const CASES: Record<string, { sounds: Series[]; silent: Series[] }> = {
  ProcessAway: {
    sounds: [{ 'up{job="sum28",instance="a"}': '1x5 0x5' }, { 'up{job="other"}': '1x10' }],
    silent: [{ 'up{job="sum28",instance="a"}': '1x10' }],
  },
  Watchdog: { sounds: [{ up: '0x3' }], silent: [] },
  AlarmsUnsent: ofOne('alertmanager_notifications_failed_total{instance="a",integration="email"}', {
    sounds: ['2x9 3x8'],
    silent: ['3x20'],
  }),
  MachineAway: {
    sounds: [
      { 'up{job="machines",instance="a"}': '1x5 0x5', 'up{job="machines"}': '1x10' },
      { 'up{job="alarms",instance="a:9093"}': '1x5 0x5', 'up{job="machines"}': '1x10' },
    ],
    silent: [{ 'up{job="machines",instance="a"}': '1x10', 'up{job="sum28"}': '0x10' }],
  },
  ServiceAway: {
    // One that has ended, and one that is started again and again and ends each time.
    sounds: ['1x5 0x5', '0x2 1 0x2 1 0x4'].map((values) => ({
      'node_systemd_unit_state{name="etcd.service",state="active",instance="a"}': values,
      'node_systemd_unit_state{name="etcd.service",state="active",instance="b"}': '1x10',
    })),
    silent: [
      {
        'node_systemd_unit_state{name="patroni.service",state="active"}': '1x5 0 1x3',
        'node_systemd_unit_state{name="patroni.service",state="failed"}': '0x9',
        'node_systemd_unit_state{name="apt-daily.service",state="active"}': '0x9',
      },
    ],
  },
  DatabaseAway: {
    sounds: [
      {
        'sum28_ready{part="database",instance="a"}': '1x5 0x5',
        'sum28_ready{part="database"}': '1x10',
      },
    ],
    silent: [{ 'sum28_ready{part="database"}': '1x10', 'sum28_ready{part="mail"}': '0x10' }],
  },
  NoOrdersInOpenRounds: {
    sounds: [
      {
        'sum28_orders_total{result="accepted",reason=""}': '0x10',
        'sum28_orders_total{result="failed",reason=""}': '0 0 0 0+2x7',
      },
      {
        'sum28_orders_total{result="accepted",reason=""}': '0+9x3 27x7',
        'sum28_orders_total{result="refused",reason="unavailable"}': '0+2x10',
      },
    ],
    silent: [
      {
        'sum28_orders_total{result="accepted",reason=""}': '0x10',
        'sum28_orders_total{result="refused",reason="insufficient_balance"}': '0+2x10',
      },
      {
        'sum28_orders_total{result="accepted",reason=""}': '0+1x10',
        'sum28_orders_total{result="failed",reason=""}': '0+2x10',
      },
      { 'sum28_orders_total{result="accepted",reason=""}': '5x10' },
    ],
  },
  OrdersFail: {
    sounds: [
      { 'sum28_orders_total{result="failed",reason=""}': '0x6 1x4' },
      { 'sum28_orders_total{result="refused",reason="unavailable"}': '0+7x10' },
    ],
    silent: [
      { 'sum28_orders_total{result="failed",reason=""}': '1x10' },
      { 'sum28_orders_total{result="refused",reason="unavailable"}': '0x6 1x4' },
    ],
  },
  OrdersWait: ofOne('sum28_orders_waiting', { sounds: ['2000x5'], silent: ['900x5'] }),
  OrdersSlow: {
    sounds: [
      {
        'sum28_order_batch_seconds_bucket{le="1"}': '0x20',
        'sum28_order_batch_seconds_bucket{le="2.5"}': '0+9x20',
        'sum28_order_batch_seconds_bucket{le="+Inf"}': '0+9x20',
      },
    ],
    silent: [
      {
        'sum28_order_batch_seconds_bucket{le="1"}': '0+9x20',
        'sum28_order_batch_seconds_bucket{le="+Inf"}': '0+9x20',
      },
    ],
  },
  RoundsDrawnLate: ofOne('sum28_engine_rounds{result="drawn_late"}', {
    sounds: ['0x5 1x3', '_x5 1x3'],
    silent: ['1x20'],
  }),
  RoundsVoided: ofOne('sum28_engine_rounds{result="voided"}', {
    sounds: ['0x5 4x3', '_x5 4x3', '7x12 1x3'],
    silent: ['4x20'],
  }),
  EngineStands: ofOne('sum28_round_overdue_seconds', { sounds: ['0x5 20+60x3'], silent: ['2x8'] }),
  EngineLate: {
    sounds: [
      {
        'sum28_engine_loop_delay_seconds_count{instance="a"}': '0+60x10',
        'sum28_engine_loop_delay_seconds_bucket{instance="a",le="1"}': '0+58x10',
      },
    ],
    // Once, such as where the machine stood still; and where another engine was started.
    silent: [
      {
        'sum28_engine_loop_delay_seconds_count{instance="a"}': '0+60x10',
        'sum28_engine_loop_delay_seconds_bucket{instance="a",le="1"}': '0+60x5 359+60x4',
      },
      {
        'sum28_engine_loop_delay_seconds_count{instance="a"}': '9000+60x5 0+60x4',
        'sum28_engine_loop_delay_seconds_bucket{instance="a",le="1"}': '8000+60x5 0+60x4',
      },
    ],
  },
  EngineRestarted: ofOne('sum28_engine_restarts', { sounds: ['0x5 1x3'], silent: ['1x20'] }),
  Fault: {
    sounds: FAULTS.map((need) => ({ [`sum28_needs{need="${need}"}`]: '0x3 1x3' })),
    silent: [
      {
        'sum28_needs{need="withdrawals_waiting"}': '9x5',
        'sum28_needs{need="mail_away"}': '1x3 0x3',
      },
    ],
  },
  FaultsUnknown: {
    sounds: [{ 'sum28_ready{part="database"}': '1x8' }],
    silent: [
      { 'sum28_ready{part="database"}': '1x8', 'sum28_needs{need="stops"}': '0x8' },
      { 'sum28_ready{part="database"}': '0x8' },
    ],
  },
  TaskWaits: {
    sounds: [{ 'sum28_need_age_seconds{need="withdrawals_waiting"}': '86300+60x5' }],
    silent: [
      {
        'sum28_need_age_seconds{need="withdrawals_waiting"}': '80000x5',
        'sum28_need_age_seconds{need="seeds_short"}': '90000x5',
      },
    ],
  },
  PoolFull: ofOne('sum28_pool_connections{pool="orders",state="waiting"}', {
    sounds: ['2x5'],
    silent: ['2 0 2 0'],
  }),
  EnginePoolFull: ofOne('sum28_engine_pool_connections{pool="slow",state="waiting"}', {
    sounds: ['2x5'],
    silent: ['2 0 2 0'],
  }),
  JobsOld: ofOne('sum28_job_age_seconds', { sounds: ['800+60x6'], silent: ['800x6'] }),
  AuditLogUnwritten: {
    sounds: [{ sum28_audit_unwritten_seconds: '94000x8' }, { up: '1x8' }],
    silent: [
      {
        'sum28_audit_unwritten_seconds{instance="a"}': '94000x8',
        'sum28_audit_unwritten_seconds{instance="b"}': '60x8',
      },
    ],
  },
  ArchiveStands: {
    sounds: [
      { sum28_archive_age_seconds: '3500+60x10' },
      { sum28_archive_age_seconds: '30x10', sum28_archive_behind_bytes: '40000000000x10' },
    ],
    silent: [
      { sum28_archive_age_seconds: '60x10', sum28_archive_behind_bytes: '30000000x10' },
      { sum28_replicas: '1x10' },
    ],
  },
  BackupOld: {
    // Time begins at 0 here, and a backup was made before. Without the file none was.
    sounds: [
      { 'node_textfile_mtime_seconds{file="/a/sum28-backup.prom"}': '-93600x20' },
      { up: '1x20' },
    ],
    silent: [
      {
        'node_textfile_mtime_seconds{file="/a/sum28-backup.prom",instance="a"}': '-93600x20',
        'node_textfile_mtime_seconds{file="/a/sum28-backup.prom",instance="b"}': '-90000x20',
      },
    ],
  },
  ReplicaAway: {
    sounds: [
      { sum28_replicas: '2x60 1x10' },
      // Of three databases that run one does not follow, and asks in vain now and then.
      { sum28_replicas: '1x1450 2 1x49', ...databases('1x1500', '1x1500', '1x1500') },
    ],
    // A base backup, which reads the log too, has ended; and a house that has been without one for a day, the machine too.
    silent: [
      { sum28_replicas: '1x30 3x10 1x20' },
      { sum28_replicas: '0x60' },
      { sum28_replicas: '2x60 1x1500' },
      { sum28_replicas: '1x1500', ...databases('1x1500', '1x1500', '1x60') },
      // It has come back, and follows after minutes.
      { sum28_replicas: '1x1505 2x25', ...databases('1x1531', '1x1531', '0x1500 1x30') },
    ],
  },
  CommitsAlone: {
    sounds: [
      // The second machine is back, and its database does not follow.
      {
        'sum28_replicas{instance="a"}': '0x14',
        'sum28_commits_synchronous{instance="a"}': '0x14',
        'up{job="machines",instance="a"}': '1x14',
        'up{job="machines",instance="b"}': '0x5 1x8',
      },
    ],
    // A house that has one machine.
    silent: [
      {
        sum28_commits_synchronous: '1x14',
        'up{job="machines",instance="a"}': '1x14',
        'up{job="machines",instance="b"}': '0x14',
      },
      { sum28_commits_synchronous: '0x14', 'up{job="machines",instance="a"}': '1x14' },
    ],
  },
  DiskFull: {
    sounds: [
      {
        'node_filesystem_avail_bytes{fstype="ext4",mountpoint="/"}': '14x8',
        'node_filesystem_size_bytes{fstype="ext4",mountpoint="/"}': '100x8',
      },
    ],
    silent: [
      {
        'node_filesystem_avail_bytes{fstype="ext4",mountpoint="/"}': '16x8',
        'node_filesystem_size_bytes{fstype="ext4",mountpoint="/"}': '100x8',
        'node_filesystem_avail_bytes{fstype="tmpfs",mountpoint="/run"}': '1x8',
        'node_filesystem_size_bytes{fstype="tmpfs",mountpoint="/run"}': '100x8',
      },
    ],
  },
  CertificateEnds: {
    sounds: [
      {
        'house_certificate_ends_seconds{file="a"}': '864060x20',
        'house_certificate_ends_seconds{file="b"}': '9e9x20',
      },
      { up: '1x20' },
    ],
    silent: [{ 'house_certificate_ends_seconds{file="a"}': '866000x20' }],
  },
  StreamsNearLimit: {
    sounds: [
      {
        'sum28_streams_open{instance="a",path="/r"}': '5000x3',
        'sum28_streams_open{instance="a",path="/g"}': '5000x3',
      },
    ],
    silent: [{ 'sum28_streams_open{instance="a",path="/r"}': '5000x3' }],
  },
  ServerLoopLate: ofOne('nodejs_eventloop_lag_p99_seconds{instance="a"}', {
    sounds: ['0.9x5'],
    silent: ['0.1x5'],
  }),
  MemoryGrows: {
    sounds: [
      {
        'process_resident_memory_bytes{instance="a"}': '420e6x15',
        'sum28_memory_max_bytes{instance="a"}': '512e6x15',
      },
      {
        'sum28_engine_resident_memory_bytes{instance="a"}': '1800e6x15',
        'sum28_memory_max_bytes{instance="a"}': '2000e6x15',
      },
    ],
    silent: [
      {
        'process_resident_memory_bytes{instance="a"}': '950e6x15',
        'sum28_memory_max_bytes{instance="a"}': '2000e6x15',
      },
    ],
  },
}

/** How many values a series has. */
function lengthOf(values: string): number {
  const lengths = values.split(' ').map((part) => Number(/x(\d+)$/.exec(part)?.[1] ?? 0) + 1)
  return lengths.reduce((sum, each) => sum + each, 0)
}

it('each alarm has a case in which it sounds and one in which it is silent', () => {
  expect(Object.keys(CASES)).toEqual(rules.map(({ alert }) => alert))
  // An account may stay frozen for long.
  const others = { Fault: FAULTS, TaskWaits: [...FAULTS, 'accounts_frozen'] }
  for (const [name, needs] of Object.entries(others)) {
    const { expr } = rules.find(({ alert }) => alert === name) as Rule
    expect(/need[=!]~"([^"]+)"/.exec(expr)?.[1]?.split('|')).toEqual([...needs])
  }
})

it('each alarm sounds when it must, and is silent when it must be', (context) => {
  if (spawnSync('promtool', ['--version']).error) {
    console.log('skipped: the alarms are tested where promtool is (apt-get install prometheus)')
    context.skip()
  }
  const folder = temporaryFolder()
  // Each alarm alone: promtool evaluates all rules of a file in each minute of a case.
  const files = rules.map((rule) => {
    const { sounds, silent } = CASES[rule.alert] ?? { sounds: [], silent: [] }
    const tests = [
      ...sounds.map((series) => ({ series, count: 1 })),
      ...silent.map((series) => ({ series, count: 0 })),
    ].map(({ series, count }) => ({
      name: `${rule.alert} ${count ? 'sounds' : 'is silent'}`,
      interval: '1m',
      input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
      promql_expr_test: [
        {
          expr: `count(ALERTS{alertname="${rule.alert}",alertstate="firing"})`,
          eval_time: `${Math.max(...Object.values(series).map(lengthOf)) - 1}m`,
          exp_samples: count ? [{ labels: '{}', value: 1 }] : [],
        },
      ],
    }))
    const [own, file] = ['rules', 'test'].map((kind) => join(folder, `${rule.alert}.${kind}.yaml`))
    writeFileSync(own ?? '', stringify({ groups: [{ name: rule.alert, rules: [rule] }] }))
    writeFileSync(file ?? '', stringify({ rule_files: [own], evaluation_interval: '1m', tests }))
    return file ?? ''
  })
  execFileSync('promtool', ['test', 'rules', ...files], { stdio: 'pipe' })
})

describe('alarms and dashboard', () => {
  const test = useWorkersApp()
  const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as {
    panels: { title: string; targets: { expr: string }[] }[]
  }
  const expressions = [
    ...rules.map(({ expr }) => expr),
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ]

  it('only use metrics that a running product shows', async () => {
    // An engine that has just begun makes its chains first, and answers no question meanwhile.
    const shown = await eventually(async () => {
      const text = await (await test.fetch('/metrics')).text()
      return text.includes('sum28_engine_rounds') ? text : undefined
    })
    const names = new Set([...shown.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
    // Shown where the engine is a process of its own: supervise-engine.test.ts.
    names.add('sum28_engine_restarts')
    const read = expressions.flatMap((expression) =>
      [...expression.matchAll(/\b(?:sum28|nodejs|process)_\w+/g)].map(([name]) =>
        name.replace(/_(bucket|count)$/, ''),
      ),
    )
    expect(read.length).toBeGreaterThan(30)
    expect([...new Set(read)].filter((name) => !names.has(name))).toEqual([])
    const own = [...names].filter((name) => name?.startsWith('sum28_'))
    expect(own.filter((name) => !read.includes(name as string))).toEqual([])
  })

  it('lead to a part of the runbooks, each alarm with its first step', () => {
    const page = readFileSync(RUNBOOKS, 'utf8')
    const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, heading = '']) =>
      heading.toLowerCase().replaceAll(' ', '-'),
    )
    for (const { alert, annotations } of rules) {
      const [file, part] = annotations.runbook.split('#')
      expect(file).toBe('docs/runbooks.md')
      expect(headings, alert).toContain(part)
      expect(page).toContain(`\n| \`${alert}\` | `)
      expect(annotations.summary).toMatch(/\.$/)
    }
    const listed = [...page.matchAll(/^\| `([A-Z]\w+)` \|/gm)].map(([, name]) => name)
    expect(listed).toEqual(rules.map(({ alert }) => alert))
  })
})
